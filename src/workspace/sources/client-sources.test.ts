import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { clientSources } from './client-sources.ts';
import { findProfile } from './profile.ts';
import type { RootsAnswer } from './roots-answer.ts';

const { 'request-meta': requestMeta, roots, remembered, initialize, 'client-env': clientEnv } = clientSources;

test('reads the working directory that goose sends with every request', () => {
  const goose = findProfile(allProfiles, 'goose-cli');
  expect(requestMeta.offer({ meta: { 'agent-working-dir': '/p' } }, goose)).toEqual({
    places: [{ text: '/p', via: 'agent-working-dir' }],
  });
});

test('reads both keys of Codex, the sandbox first', () => {
  const codex = findProfile(allProfiles, 'codex-mcp-client');
  const meta = {
    'x-codex-turn-metadata': { workspaces: { '/repo': {} } },
    'codex/sandbox-state-meta': { sandboxCwd: 'file:///p' },
  };
  expect(requestMeta.offer({ meta }, codex)).toEqual({
    places: [
      { text: 'file:///p', via: 'codex/sandbox-state-meta.sandboxCwd' },
      { text: '/repo', via: 'x-codex-turn-metadata.workspaces' },
    ],
  });
});

test.each([
  undefined,
  { 'agent-working-dir': 42 },
  { 'agent-working-dir': null },
  { __proto__: { 'agent-working-dir': '/x' } },
])('offers nothing for %j', (meta) => {
  const goose = findProfile(allProfiles, 'goose-cli');
  expect(requestMeta.offer(meta === undefined ? {} : { meta }, goose)).toHaveProperty('none');
});

test('offers the listed roots, with names', () => {
  const listed: RootsAnswer = {
    state: 'listed',
    roots: parseRoots([{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }], { platform: 'posix' }).roots,
  };
  expect(roots.offer({ roots: listed }, undefined)).toEqual({
    places: [
      { text: '/a', name: 'A' },
      { text: '/b', name: 'b' },
    ],
  });
});

test.each<[RootsAnswer | undefined, string]>([
  [undefined, 'not asked'],
  [{ state: 'unasked' }, 'not asked'],
  [{ state: 'unsupported' }, 'does not support'],
  [{ state: 'empty', revoked: false }, 'has no roots'],
  [{ state: 'empty', revoked: true }, 'taken its roots back'],
  [{ state: 'failed', afterChange: false, reason: 'silence' }, 'silence'],
  [{ state: 'listed', roots: [] }, 'whole file systems only'],
])('explains why there are none: %j', (answer, words) => {
  expect(roots.offer(answer === undefined ? {} : { roots: answer }, undefined)).toEqual({
    none: expect.stringContaining(words),
  });
});

const before = parseRoots([{ uri: 'file:///a' }], { platform: 'posix' }).roots;

test('offers the last good list', () => {
  expect(remembered.offer({ remembered: before }, undefined)).toEqual({
    places: [{ text: '/a', name: 'a' }],
  });
  expect(remembered.offer({ remembered: [] }, undefined)).toHaveProperty('none');
  expect(remembered.offer({}, undefined)).toHaveProperty('none');
});

test('drops it when the client revoked or changed it', () => {
  expect(
    remembered.offer({ remembered: before, roots: { state: 'empty', revoked: true } }, undefined),
  ).toHaveProperty('none');
  const failed = { state: 'failed', afterChange: true, reason: 'x' } as const;
  expect(remembered.offer({ remembered: before, roots: failed }, undefined)).toHaveProperty('none');
  expect(
    remembered.offer({ remembered: before, roots: { ...failed, afterChange: false } }, undefined),
  ).toHaveProperty('places');
});

test.each([
  [{ roots: [{ uri: 'file:///a', name: 'A' }] }, [{ text: 'file:///a', name: 'A', via: 'roots' }]],
  [
    { workspaceFolders: [{ uri: 'file:///a' }, '/b'] },
    [
      { text: 'file:///a', via: 'workspaceFolders' },
      { text: '/b', via: 'workspaceFolders' },
    ],
  ],
  [{ rootUri: 'file:///a', rootPath: '/b' }, [{ text: 'file:///a', via: 'rootUri' }]],
  [{ rootUri: null, rootPath: '/b' }, [{ text: '/b', via: 'rootPath' }]],
  [{ roots: [], workspaceFolders: ['/a'] }, [{ text: '/a', via: 'workspaceFolders' }]],
])('reads %j', (params, places) => {
  expect(initialize.offer({ initialize: params }, undefined)).toEqual({ places });
});

test.each([
  undefined,
  null,
  'x',
  {},
  { roots: {} },
  { roots: [{ uri: 42 }] },
  { capabilities: { roots: {} } },
])('offers nothing for %j', (params) => {
  expect(initialize.offer({ initialize: params }, undefined)).toHaveProperty('none');
});

const cursor = findProfile(allProfiles, 'cursor-vscode');

test.each([
  ['/a', ['/a']],
  ['/a,/b', ['/a', '/b']],
  ['["/a","/b, c"]', ['/a', '/b, c']],
])('reads the list %s', (value, texts) => {
  expect(clientEnv.offer({ environment: { WORKSPACE_FOLDER_PATHS: value } }, cursor)).toEqual({
    places: texts.map((text) => ({ text, via: 'WORKSPACE_FOLDER_PATHS', trust: 'weak' })),
  });
});

test('ignores a variable that another client left behind', () => {
  const environment = { CLAUDE_PROJECT_DIR: '/elsewhere' };
  expect(clientEnv.offer({ environment }, cursor)).toEqual({ none: 'WORKSPACE_FOLDER_PATHS not set' });
});
