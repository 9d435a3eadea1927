import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMemorySink } from '../../src/audit/sink.ts';
import { expose } from '../../src/client/expose/expose.ts';
import { openRootStore } from '../../src/client/store/open-root-store.ts';
import { toPolicyConfig } from '../../src/client/store/permissions-for.ts';
import type { RootStore } from '../../src/client/store/root-store.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { decide } from '../../src/policy/decide.ts';
import { parsePolicy } from '../../src/policy/rules/policy.ts';
import { tempTree, type TempTree } from '../../src/testing/temp-tree.ts';
import { heard, type Pair, pairs } from '../support/peers/client-pairs.ts';

/** The examples of the overview of roots that this project began with, each under its own heading. */

function open(tree: TempTree): Promise<RootStore> {
  return openRootStore({ file: tree.at('roots.jsonc') });
}

async function connect(store: RootStore, options = {}): Promise<Pair & AsyncDisposable & { detach(): void }> {
  const pair = pairs['SDK v1']?.();
  if (pair === undefined) throw new Error('no pair');
  const detach = expose(pair.client, store, {
    server: { name: 'files', command: 'x' },
    debounce: 1,
    ...options,
  });
  await pair.connect();
  return { ...pair, detach, [Symbol.asyncDispose]: () => pair.client.close() };
}

describe('Quick Start', () => {
  test('1. Capability Declaration', async () => {
    using tree = tempTree();
    await using store = await open(tree);
    await using pair = await connect(store);
    const { _capabilities: declared } = pair.client as unknown as { _capabilities: unknown };
    expect(declared).toEqual({ roots: { listChanged: true } });
  });

  test('2. Basic Roots Request and 3. Roots Response', async () => {
    using tree = tempTree(['projects/myproject/', 'workspace/docs/']);
    await using store = await open(tree);
    await store.add({ path: tree.at('projects', 'myproject'), name: 'My Project' });
    await store.add({ path: tree.at('workspace', 'docs'), name: 'Documentation' });
    await using pair = await connect(store);
    expect(await pair.ask()).toMatchObject({
      roots: [
        { uri: toFileUri(tree.at('projects', 'myproject')), name: 'My Project' },
        { uri: toFileUri(tree.at('workspace', 'docs')), name: 'Documentation' },
      ],
    });
  });

  test('4. Change Notifications', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await using pair = await connect(store);
    await store.add(tree.at('app'));
    await heard(pair, 1);
    expect(pair.changes()).toBe(1);
  });
});

describe('Root Definition', () => {
  test('Root Structure: uri, name and _meta', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await using pair = await connect(store);
    const asked = await pair.ask();
    expect('roots' in asked && Object.keys(asked.roots[0] ?? {})).toEqual(['uri', 'name', '_meta']);
  });

  test.each([
    ['Must use file:// scheme', 'http://example.com/path', 'INVALID_URI'],
    ['Must be absolute paths', 'projects/app', 'INVALID_PATH'],
    ['Should point to accessible directories', '/no/such/directory', 'NOT_FOUND'],
  ])('URI Requirements: %s', async (_row, path, code) => {
    using tree = tempTree();
    await using store = await open(tree);
    await expect(store.add(path)).rejects.toMatchObject({ code });
  });

  test.each<[string, readonly (readonly [entry: string, name: string])[]]>([
    ['Single Project Root', [['projects/web-app/', 'Web Application']]],
    [
      'Multiple Repository Roots',
      [
        ['repos/frontend/', 'Frontend Repository'],
        ['repos/backend/', 'Backend API'],
        ['repos/shared-lib/', 'Shared Library'],
      ],
    ],
    [
      'Documentation Roots',
      [
        ['documents/project-docs/', 'Project Documentation'],
        ['documents/api-specs/', 'API Specifications'],
      ],
    ],
    [
      'Mixed File and Directory Roots',
      [
        ['project/', 'Main Project'],
        ['config/settings.json', 'Global Settings'],
        ['.bashrc', 'Shell Configuration'],
      ],
    ],
  ])('Examples: %s', async (_row, entries) => {
    using tree = tempTree(entries.map(([entry]) => entry));
    await using store = await open(tree);
    for (const [entry, name] of entries) await store.add({ path: tree.at(entry.replace(/\/$/, '')), name });
    await using pair = await connect(store);
    expect(await pair.ask()).toMatchObject({
      roots: entries.map(([entry, name]) => ({ uri: toFileUri(tree.at(entry.replace(/\/$/, ''))), name })),
    });
  });
});

describe('User Selection Interface', () => {
  test('addRoot: validates, names, saves and notifies', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await using pair = await connect(store);
    expect(await store.add(tree.at('app'))).toMatchObject({ uri: toFileUri(tree.at('app')), name: 'app' });
    expect(readFileSync(tree.at('roots.jsonc'), 'utf8')).toContain('"app"');
    await heard(pair, 1);
  });

  test('removeRoot: by URI', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.remove(toFileUri(tree.at('app')));
    expect(store.list()).toEqual([]);
  });

  test('updateRootName: by URI', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.rename(toFileUri(tree.at('app')), 'The App');
    expect(store.list()).toMatchObject([{ name: 'The App' }]);
  });
});

test('Dynamic Root Management: DynamicRootManager tells every server of what is added and removed', async () => {
  using tree = tempTree(['app/']);
  await using store = await open(tree);
  await using one = await connect(store);
  await using other = await connect(store, { server: { name: 'other', command: 'y' } });
  await store.add(tree.at('app'));
  await Promise.all([heard(one, 1), heard(other, 1)]);
  await store.remove('app');
  await Promise.all([heard(one, 2), heard(other, 2)]);
  expect([one.changes(), other.changes()]).toEqual([2, 2]);
});

describe('Permission Management: RootPermissionManager', () => {
  test('checkPermission and enforceRestrictions', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add({ path: tree.at('app'), allow: ['read', 'list', 'write'], deny: ['secret/**'] });
    const policy = parsePolicy(toPolicyConfig(store.list()));
    const check = (
      root: string,
      operation: 'read' | 'write' | 'execute' | 'remove',
      relative = 'a',
    ): string => decide(policy, { operation, path: relative }, { root, relative }).verdict;
    expect(check('app', 'read')).toBe('allow');
    expect(check('app', 'write')).toBe('allow');
    expect(check('app', 'execute')).toBe('deny');
    expect(check('app', 'remove')).toBe('deny');
    expect(check('unknown', 'read')).toBe('deny');
    expect(check('app', 'read', 'secret/a')).toBe('deny');
    expect(check('app', 'read', 'secrets/a')).toBe('allow');
  });
});

describe('Error Handling', () => {
  test('Common Errors: Roots not supported', async () => {
    using tree = tempTree();
    await using store = await open(tree);
    await using pair = await connect(store);
    pair.detach();
    expect(await pair.ask()).toEqual({
      code: -32_601,
      message: 'MCP error -32601: Roots not supported',
      data: { reason: 'Client does not have roots capability' },
    });
  });

  test('Root Access Errors: Root access denied', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.deny('app', { server: 'files' });
    await using pair = await connect(store, { refused: 'error' });
    expect(await pair.ask()).toEqual({
      code: -32_603,
      message: 'MCP error -32603: Root access denied',
      data: { reason: 'Insufficient permissions' },
    });
  });

  test('Path Validation Errors: Invalid root URI', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await using pair = await connect(store, { mapUri: () => 'http://example.com/path' });
    expect(await pair.ask()).toEqual({
      code: -32_602,
      message: 'MCP error -32602: Invalid root URI',
      data: { uri: 'http://example.com/path', reason: 'Only file:// URIs are supported' },
    });
  });
});

describe('Security Guidelines', () => {
  test('4. Audit Logging: access to roots and changes of them', async () => {
    using tree = tempTree(['app/']);
    const audit = createMemorySink();
    await using store = await openRootStore({ file: tree.at('roots.jsonc'), audit });
    await store.add(tree.at('app'));
    await using pair = await connect(store, { audit });
    await pair.ask();
    expect(audit.entries().map(({ event }) => event)).toEqual(['change', 'exposure']);
  });

  test('5. User Consent: explicit approval', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    const answers = ['never', 'always'];
    const server = { name: 'remote', url: 'https://x.example' };
    await using refused = await connect(store, { server, ask: () => answers.shift() });
    expect(await refused.ask()).toEqual({ roots: [] });
    await store.forget('app', 'remote');
    await using agreed = await connect(store, { server, ask: () => answers.shift() });
    expect(await agreed.ask()).toMatchObject({ roots: [{ name: 'app' }] });
    expect(store.get('app')?.grants).toMatchObject([
      { server: 'remote', answer: 'always', date: expect.any(String) },
    ]);
  });
});
