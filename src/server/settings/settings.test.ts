import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { readSettings } from './settings.ts';

test('everything has a default that fails closed', () => {
  expect(readSettings({ environment: {}, cwd: '/x' })).toMatchObject({
    ceiling: undefined,
    pinned: undefined,
    merge: undefined,
    environment: {},
    cwd: '/x',
    resolve: {},
    timeout: 3_000,
    freshness: 5_000,
    reuse: 0,
    tools: [],
    argument: false,
    eager: false,
    chdir: false,
  });
  const { policy, preflight } = readSettings({});
  expect(policy.general.verdicts.write.verdict).toBe('deny');
  expect(preflight('tools/call', 'any')).toBe(false);
});

test('uses facts of the process by default', () => {
  const { cwd, environment } = readSettings({});
  expect(cwd).toBe(process.cwd());
  expect(environment).toBe(process.env);
});

describe('the ceiling', () => {
  test('is read from paths and URIs', () => {
    const { ceiling } = readSettings({ ceiling: ['/srv/app', 'file:///srv/my%20docs'] });
    expect(ceiling?.map(({ path }) => path)).toEqual(['/srv/app', '/srv/my docs']);
  });

  test('is the pinned project, where nothing else is named', () => {
    expect(readSettings({ project: '/srv/app' }).ceiling).toMatchObject([{ path: '/srv/app' }]);
    expect(readSettings({ project: '/srv/app', ceiling: ['/srv'] }).ceiling).toMatchObject([
      { path: '/srv' },
    ]);
  });

  test('allows nothing if it is empty, unlike a missing one', () => {
    expect(readSettings({ ceiling: [] }).ceiling).toEqual([]);
  });

  test.each(['app', './app', 'https://x.example', '', '${workspaceFolder}'])('refuses %j', (path) => {
    expect(() => readSettings({ ceiling: [path] })).toThrow(
      expect.objectContaining({ code: 'INVALID_PATH' }),
    );
    expect(() => readSettings({ ceiling: ['/srv'], project: path })).toThrow(
      expect.objectContaining({ code: 'INVALID_PATH' }),
    );
  });
});

test('accepts a policy, or parses its config', () => {
  const policy = parsePolicy({ preset: 'write-in-project' });
  expect(readSettings({ policy }).policy).toBe(policy);
  expect(readSettings({ policy: { preset: 'write-in-project' } }).policy.general.verdicts.write.verdict).toBe(
    'allow',
  );
});

test.each([
  [true, ['list_roots', 'switch_project', 'why']],
  [false, []],
  [['why'] as const, ['why']],
])('tools %j are %j', (tools, expected) => {
  expect(readSettings({ tools }).tools).toEqual(expected);
});

describe('a chain without the switch source', () => {
  test('gets it in front, if switching is possible', () => {
    const preset = 'adr-009';
    expect(readSettings({ preset }).resolve.sources).toBeUndefined();
    const switching = ['switched', 'roots', 'remembered', 'pwd'];
    expect(readSettings({ preset, tools: ['switch_project'] }).resolve.sources).toEqual(switching);
    expect(readSettings({ preset, tools: ['why'] }).resolve.sources).toBeUndefined();
    expect(readSettings({ sources: ['roots'], needsOne: true }).resolve.sources).toEqual([
      'switched',
      'roots',
    ]);
  });

  test('is left alone if it has it already', () => {
    const sources = ['roots', 'switched'] as const;
    expect(readSettings({ sources, tools: true }).resolve.sources).toEqual(sources);
    expect(readSettings({ tools: true }).resolve.sources).toBeUndefined();
  });
});

test.each([
  [true, true, true],
  [false, false, false],
  [['a'], true, false],
  [(method: string) => method === 'tools/call', true, true],
] as const)('preflight %j: a %s, b %s', (preflight, a, b) => {
  const settings = readSettings({ preflight });
  expect([settings.preflight('tools/call', 'a'), settings.preflight('tools/call', 'b')]).toEqual([a, b]);
  if (Array.isArray(preflight)) expect(settings.preflight('tools/call', undefined)).toBe(false);
});
