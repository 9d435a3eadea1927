import { isFields } from '../../base/fields.ts';
import { operations } from '../../boundary/step/operation.ts';
import type { JsonPath } from '../../config/parse-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { Platform } from '../../path/platform.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import type { Grant, StoredRoot } from './stored-root.ts';

/** Facts that the meaning of a path depends on. */
export interface PathContext {
  /** The directory that `~/` stands for. */
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

/** Reads one root of the file. Unknown fields are refused. */
export function readRootRecord(spot: JsonField, context: PathContext): StoredRoot {
  const { path, uri, name, added, servers, grants, ...permissions } = membersOf(spot, rootKeys);
  if ((path === undefined) === (uri === undefined))
    throw new StoreFault(spot, 'either "path" or "uri" is expected');
  return {
    ...readRootPlace(path ?? uri ?? spot, name, context),
    ...(added === undefined ? {} : { added: timeOf(added) }),
    permissions: readPermissions(spot, permissions),
    servers: servers === undefined ? {} : Object.fromEntries(namedOf(servers).map(readServerPermissions)),
    grants: grants === undefined ? [] : itemsOf(grants).map(readGrant),
  };
}

/** Reads a path or URI as written in the file. */
export function readRootPlace(spot: JsonField, name: JsonField | undefined, context: PathContext): Root {
  const given = textAt(spot);
  const text = isFileUri(given) ? given : expandHome(given, context);
  const { root, issues } = parseRoot({ uri: text, name: name && textAt(name) }, context);
  if (issues.some(({ code }) => code === 'bad-name') && name !== undefined) {
    throw new StoreFault(name, 'the name is too long, or has invisible characters');
  }
  if (root !== undefined) return root;
  const issue = issues.find(({ effect }) => effect === 'dropped');
  throw new StoreFault(spot, issue?.message ?? 'an absolute path is expected');
}

type PermissionSpots = { readonly [Key in keyof PermissionConfig]?: JsonField };

/** Validates permissions with the parser of the policy engine. */
function readPermissions(spot: JsonField, spots: PermissionSpots): PermissionConfig {
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

/** Splits `deny[1].glob` into steps. */
function stepsOf(where: string): JsonPath {
  return [...where.matchAll(/([A-Za-z]\w*)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}

function readServerPermissions([name, spot]: readonly [string, JsonField]): [string, PermissionConfig] {
  return [name, readPermissions(spot, membersOf(spot, permissionKeys))];
}

function readGrant(spot: JsonField): Grant {
  const { server, fingerprint, answer, date, until, operations: some } = membersOf(spot, grantKeys);
  if (server === undefined || answer === undefined || date === undefined) {
    throw new StoreFault(spot, '"server", "answer" and "date" are expected');
  }
  return {
    server: textAt(server),
    ...(fingerprint === undefined ? {} : { fingerprint: textAt(fingerprint) }),
    answer: wordOf(answer, ['always', 'never']),
    date: timeOf(date),
    ...(until === undefined ? {} : { until: timeOf(until) }),
    ...(some === undefined ? {} : { operations: itemsOf(some).map((item) => wordOf(item, operations)) }),
  };
}

function wordOf<Word extends string>(spot: JsonField, words: readonly Word[]): Word {
  const word = words.find((known) => known === spot.value);
  if (word === undefined) throw new StoreFault(spot, `one of ${words.join(', ')} is expected`);
  return word;
}

/** A value in the file, and its path. */
export interface JsonField {
  readonly value: unknown;
  readonly path: JsonPath;
}

/** A value in the file that cannot be used. The caller converts it to an error with line and column. */
export class StoreFault extends Error {
  readonly path: JsonPath;
  readonly reason: string;

  constructor({ path }: Pick<JsonField, 'path'>, reason: string) {
    super(reason);
    this.path = path;
    this.reason = reason;
  }
}

/** Returns the members of an object. Refuses unknown keys, so that a misspelled one is not ignored. */
export function membersOf<Key extends string>(
  spot: JsonField,
  keys: readonly Key[],
): { readonly [Name in Key]?: JsonField } {
  for (const [key, member] of namedOf(spot)) {
    if (!keys.some((known) => known === key)) throw new StoreFault(member, `"${key}" is unknown here`);
  }
  return Object.fromEntries(namedOf(spot)) as { readonly [Name in Key]?: JsonField };
}

/** Returns the members of an object with arbitrary keys. */
export function namedOf({ value, path }: JsonField): readonly (readonly [key: string, member: JsonField])[] {
  if (!isFields(value)) {
    throw new StoreFault({ path }, 'an object is expected');
  }
  return Object.entries(value).map(([key, member]) => [key, { value: member, path: [...path, key] }]);
}

export function itemsOf({ value, path }: JsonField): readonly JsonField[] {
  if (!Array.isArray(value)) throw new StoreFault({ path }, 'a list is expected');
  return value.map((item: unknown, index) => ({ value: item, path: [...path, index] }));
}

export function textAt(spot: JsonField): string {
  if (typeof spot.value !== 'string' || spot.value === '') throw new StoreFault(spot, 'a string is expected');
  return spot.value;
}

/** Reads an ISO 8601 time. Nothing less exact is accepted, because a grant may expire by it. */
export function timeOf(spot: JsonField): string {
  const text = textAt(spot);
  if (
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) ||
    Number.isNaN(Date.parse(text))
  ) {
    throw new StoreFault(spot, 'a time such as 2026-01-31T12:00:00Z is expected');
  }
  return text;
}

export function countOf(spot: JsonField): number {
  const { value } = spot;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new StoreFault(spot, 'a non-negative integer is expected');
}
