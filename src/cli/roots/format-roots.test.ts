import { describe, expect, test } from 'vitest';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { describeGrant, describePermissions, formatRoots, lookAtRoots, printRoots } from './format-roots.ts';

const plain = (_colour: string, text: string): string => text;

function stored(path: string, rest: Partial<StoredRoot> = {}): StoredRoot {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    uri: toFileUri(path),
    path,
    name,
    kind: 'unknown',
    permissions: {},
    servers: {},
    grants: [],
    ...rest,
  };
}

describe('a table of roots', () => {
  test('has names, permissions, states and paths', async () => {
    using tree = tempTree(['app/']);
    const roots = [stored(tree.at('app')), stored(tree.at('gone'), { permissions: { allow: ['list'] } })];
    const text = await formatRoots(roots, plain);
    expect(text).toMatch(/^name +permits +state +where\n/);
    expect(text).toMatch(/^app +read, list +there +\/.*app$/m);
    expect(text).toMatch(/^gone +list +missing +\/.*gone$/m);
    expect(text).toMatch(/\n2 roots\n$/);
  });

  test('shows the view of a server', async () => {
    const [root, hidden] = [stored('/no/such'), stored('/other')];
    const permissions = toRootPermissions({ allow: ['list'] });
    const of = [
      { root, shown: true, why: 'so', permissions },
      { root: hidden, shown: false, why: 'a person said never', permissions },
    ];
    const text = await formatRoots([root, hidden], plain, { server: 'search', of });
    expect(text).toMatch(/^such +list +missing/m);
    expect(text).toMatch(/^other +hidden: a person said never +missing/m);
    expect(text).toMatch(/\n1 of 2 roots shown to search\n$/);
  });

  test('escapes control characters in names', async () => {
    const text = await formatRoots([stored('/x', { name: 'a\u001B[2Jb' })], plain);
    expect(text).not.toContain('\u001B');
  });

  test('explains how to add the first root', async () => {
    expect(await formatRoots([], plain)).toContain('rootward roots add');
  });
});

test.each([
  [{ allow: [], ask: [], deny: [] }, 'nothing'],
  [{ allow: ['read'], ask: ['write', 'remove'], deny: [] }, 'read; asks before write, remove'],
  [{ allow: ['read'], ask: [], deny: [{ glob: 'a' }] }, 'read; denies 1 pattern'],
  [{ allow: ['read'], ask: [], deny: [{ glob: 'a' }, { glob: 'b' }] }, 'read; denies 2 patterns'],
] as const)('formats %j as %j', (permissions, text) => {
  expect(describePermissions(permissions)).toBe(text);
});

test('formats a grant with its date, expiry and operations', () => {
  const grant = { server: 's', answer: 'always', date: '2026-01-02T03:04:05.000Z' } as const;
  expect(describeGrant(grant)).toBe('always, since 2026-01-02');
  expect(describeGrant({ ...grant, until: '2026-02-03T04:05:06.000Z', operations: ['read'] })).toBe(
    'always, since 2026-01-02, until 2026-02-03T04:05, for read',
  );
});

test('looks at more roots than run concurrently', async () => {
  using tree = tempTree(Array.from({ length: 40 }, (_, index) => `r${index}/`));
  const roots = Array.from({ length: 40 }, (_, index) => stored(tree.at(`r${index}`)));
  expect([...(await lookAtRoots(roots)).values()]).toEqual(Array.from({ length: 40 }, () => 'there'));
});

const roots: readonly StoredRoot[] = ['app', 'docs'].map((name) => ({
  uri: `file:///${name}`,
  path: `/${name}`,
  name,
  kind: 'unknown',
  permissions: {},
  servers: {},
  grants: [],
}));

function print(json: boolean): string {
  let text = '';
  const stdout = { write: (part: string) => void (text += part) };
  const context: CliContext = { process: { stdout, stderr: stdout }, cwd: '/' };
  printRoots(context, { verb: 'added', roots, json });
  return text;
}

test('prints what was done to each root', () => {
  expect(print(false)).toBe('added  app   read, list  /app\nadded  docs  read, list  /docs\n');
});

test('prints one JSON line per root', () => {
  expect(
    print(true)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(roots);
});
