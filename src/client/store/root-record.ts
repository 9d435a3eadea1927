import nodePath from 'node:path';
import { operations } from '../../boundary/step/operation.ts';
import type { JsonPath } from '../../config/parse-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import type { Platform } from '../../path/platform.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { itemsOf, membersOf, namedOf, type Spot, StoreFault, textOf, timeOf } from './spot.ts';
import type { Grant, StoredRoot } from './stored-root.ts';

/** What the meaning of a path depends on. */
export interface PathContext {
  /** What `~/` stands for. */
  readonly home: string;
  readonly platform: Platform;
}

const permissionKeys = [
  'preset',
  'allow',
  'ask',
  'deny',
] as const satisfies readonly (keyof PermissionConfig)[];
const rootKeys = ['path', 'uri', 'name', 'added', 'servers', 'grants', ...permissionKeys] as const;
const grantKeys = ['server', 'fingerprint', 'answer', 'date', 'until', 'operations'] as const;

/** One root of the file. Strict: nothing in it is ignored. */
export function readRootRecord(spot: Spot, context: PathContext): StoredRoot {
  const { path, uri, name, added, servers, grants, ...permissions } = membersOf(spot, rootKeys);
  if ((path === undefined) === (uri === undefined))
    throw new StoreFault(spot, 'either "path" or "uri" is expected');
  return {
    ...readPlace(path ?? uri ?? spot, name, context),
    ...(added === undefined ? {} : { added: timeOf(added) }),
    permissions: readPermissions(spot, permissions),
    servers: servers === undefined ? {} : Object.fromEntries(namedOf(servers).map(readServerPermissions)),
    grants: grants === undefined ? [] : itemsOf(grants).map(readGrant),
  };
}

/** Reads a path or URI as it stands in the file. */
export function readPlace(spot: Spot, name: Spot | undefined, context: PathContext): Root {
  const given = textOf(spot);
  const text = isFileUri(given) ? given : expandHome(given, context);
  const { root, issues } = parseRoot({ uri: text, name: name && textOf(name) }, context);
  if (issues.some(({ code }) => code === 'bad-name') && name !== undefined) {
    throw new StoreFault(name, 'the name is too long, or has characters that cannot be seen');
  }
  if (root !== undefined) return root;
  const issue = issues.find(({ effect }) => effect === 'dropped');
  throw new StoreFault(spot, issue?.message ?? 'an absolute path is expected');
}

/** What `~/` stands for, in its place. */
export function expandHome(path: string, { home, platform }: PathContext): string {
  return /^~(?:[\\/]|$)/.test(path) ? nodePath[platform].join(home, path.slice(1)) : path;
}

type PermissionSpots = { readonly [Key in keyof PermissionConfig]?: Spot };

/** By the engine that will decide with them. */
function readPermissions(spot: Spot, spots: PermissionSpots): PermissionConfig {
  const said = Object.entries(spots).map(([key, { value }]) => [key, value] as const);
  if (said.length === 0) return {};
  const config = Object.fromEntries(said) as PermissionConfig;
  try {
    parsePolicy({ ...config, secrets: false });
    return config;
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_POLICY')) throw error;
    const { where, reason } = error.data;
    throw new StoreFault({ path: [...spot.path, ...stepsOf(where)] }, reason);
  }
}

/** `deny[1].glob` as steps. */
function stepsOf(where: string): JsonPath {
  return [...where.matchAll(/([A-Za-z]\w*)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}

function readServerPermissions([name, spot]: readonly [string, Spot]): [string, PermissionConfig] {
  return [name, readPermissions(spot, membersOf(spot, permissionKeys))];
}

function readGrant(spot: Spot): Grant {
  const { server, fingerprint, answer, date, until, operations: some } = membersOf(spot, grantKeys);
  if (server === undefined || answer === undefined || date === undefined) {
    throw new StoreFault(spot, '"server", "answer" and "date" are expected');
  }
  return {
    server: textOf(server),
    ...(fingerprint === undefined ? {} : { fingerprint: textOf(fingerprint) }),
    answer: wordOf(answer, ['always', 'never']),
    date: timeOf(date),
    ...(until === undefined ? {} : { until: timeOf(until) }),
    ...(some === undefined ? {} : { operations: itemsOf(some).map((item) => wordOf(item, operations)) }),
  };
}

function wordOf<Word extends string>(spot: Spot, words: readonly Word[]): Word {
  const word = words.find((known) => known === spot.value);
  if (word === undefined) throw new StoreFault(spot, `one of ${words.join(', ')} is expected`);
  return word;
}
