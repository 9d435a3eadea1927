import * as z from 'zod/mini';
import { namedOf, objectOf, problem, readValue, someText, type ValueFault } from '../../base/read-value.ts';
import { operations } from '../../boundary/step/operation.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { Platform } from '../../path/platform.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { permissionSchema, permissionShape, refuseContradiction } from '../../policy/rules/policy-config.ts';
import type { RootRecord } from './store-document.ts';
import type { StoredRoot } from './stored-root.ts';

/** Facts that the meaning of a path depends on. */
export interface PathContext {
  /** The directory that `~/` stands for. */
  readonly home: string;
  readonly platform: Platform;
}

/** Reads one root of the file. Unknown fields are refused. */
export function readRootRecord(
  value: unknown,
  context: PathContext,
): { readonly root: StoredRoot } | { readonly fault: ValueFault } {
  const read = readValue(recordSchema, value);
  if ('fault' in read) return read;
  const { path, uri, name, added, servers = {}, grants = [], ...permissions } = read.value;
  const found = readRootPlace(path ?? uri ?? '', context, name);
  if ('reason' in found) {
    return { fault: { path: [path === undefined ? 'uri' : 'path'], reason: found.reason } };
  }
  if (name !== undefined && found.root.name !== name) {
    const reason = 'the name is too long, or has invisible characters';
    return { fault: { path: ['name'], reason } };
  }
  return {
    root: { ...found.root, ...(added === undefined ? {} : { added }), permissions, servers, grants },
  };
}

/** Reads a path or URI as written in the file. */
export function readRootPlace(
  given: string,
  context: PathContext,
  name?: string,
): { readonly root: Root } | { readonly reason: string } {
  const uri = isFileUri(given) ? given : expandHome(given, context);
  const { root, issues } = parseRoot({ uri, name }, context);
  if (root !== undefined) return { root };
  const issue = issues.find(({ effect }) => effect === 'dropped');
  return { reason: issue?.message ?? 'an absolute path is expected' };
}

/** An ISO 8601 time. Nothing less exact is accepted, because a grant may expire by it. */
const time = z.custom<string>(
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  { error: 'a time such as 2026-01-31T12:00:00Z is expected' },
);

const grant = objectOf({
  server: someText,
  fingerprint: z.exactOptional(someText),
  answer: z.enum(['always', 'never']),
  date: time,
  until: z.exactOptional(time),
  operations: z.exactOptional(z.array(z.enum(operations))),
});

const recordSchema: z.ZodMiniType<RootRecord> = objectOf({
  path: z.exactOptional(someText),
  uri: z.exactOptional(someText),
  name: z.exactOptional(someText),
  added: z.exactOptional(time),
  servers: z.exactOptional(namedOf(permissionSchema)),
  grants: z.exactOptional(z.array(grant)),
  ...permissionShape,
}).check(refuseContradiction, ({ value: { path, uri }, issues }) => {
  if ((path === undefined) === (uri === undefined)) {
    issues.push(problem('either "path" or "uri" is expected'));
  }
});
