import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { type SourceName, sourceNames } from '../sources/all-sources.ts';
import type { Signals } from '../sources/root-source.ts';
import type { RootsAnswer } from '../sources/roots-answer.ts';
import { createChainContext, type ResolveOptions } from './chain-context.ts';
import type { Resolution } from './resolution.ts';
import { resolveWorkspace, runChain } from './resolve-workspace.ts';

function rootsAt(tree: TempTree, ...names: readonly string[]): readonly Root[] {
  return parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
}

function listed(tree: TempTree, ...names: readonly string[]): RootsAnswer {
  return { state: 'listed', roots: rootsAt(tree, ...names) };
}

/** Where the trail tells of one source. */
function stepOf({ trail }: Pick<Resolution, 'trail'>, name: SourceName) {
  return trail.find(({ source }) => source === name);
}

/** The essentials: status, source, place. */
function summary(resolution: Resolution) {
  if (resolution.status !== 'resolved') return resolution.status;
  const { source, confidence, project } = resolution;
  return { source, confidence, location: project.location };
}

function plain(tree: TempTree): ResolveOptions {
  return { around: { home: tree.at('home'), temporary: tree.at('tmp') } };
}

describe('the chain', () => {
  const layout = [
    'home/app/.git/HEAD',
    'home/app/src/',
    'home/other/package.json = {"name":"other"}',
    'home/third/',
    'tmp/',
  ];

  test('each source takes precedence over all later ones', async () => {
    using tree = tempTree(layout);
    const at = (name: string): string => tree.at('home', name);
    const all: Signals = {
      argument: at('app/src'),
      pinned: at('app'),
      switched: at('other'),
      client: { name: 'goose-cli' },
      meta: { 'agent-working-dir': at('third') },
      roots: listed(tree, 'home/app', 'home/other'),
      remembered: rootsAt(tree, 'home/other'),
      initialize: { rootUri: toFileUri(at('third')) },
      ceiling: rootsAt(tree, 'home/app', 'home/other'),
      cwd: at('app/src'),
      environment: { PWD: at('other') },
    };
    const order: string[] = [];
    let signals = all;
    for (let round = 0; round < sourceNames.length; round += 1) {
      const resolution = await resolveWorkspace(signals, plain(tree));
      if (resolution.status !== 'resolved') break;
      order.push(resolution.source);
      signals = without(signals, resolution.source);
    }
    expect(order).toEqual([
      'argument',
      'pinned',
      'switched',
      'request-meta',
      'roots',
      'remembered',
      'initialize',
      'operator',
      'walk-up',
      'pwd',
    ]);
  });

  test('the variable of the connected client comes before the operator', async () => {
    using tree = tempTree(layout);
    const signals: Signals = {
      client: { name: 'claude-code' },
      environment: { CLAUDE_PROJECT_DIR: tree.at('home/other') },
      ceiling: rootsAt(tree, 'home/app'),
    };
    const resolution = await resolveWorkspace(signals, plain(tree));
    expect(summary(resolution)).toEqual({
      source: 'client-env',
      confidence: 'likely',
      location: tree.at('home/other'),
    });
  });

  test('the trail lists every source, also those that were passed over', async () => {
    using tree = tempTree(layout);
    const { trail } = await resolveWorkspace(
      { roots: listed(tree, 'home/app'), cwd: '/', environment: { PWD: '.' } },
      plain(tree),
    );
    expect(trail.map(({ source }) => source)).toEqual(sourceNames);
    const said = trail.filter(({ outcome }) => outcome !== 'absent');
    expect(said.map(({ source, outcome }) => [source, outcome])).toEqual([
      ['roots', 'chosen'],
      ['walk-up', 'passed'],
      ['pwd', 'passed'],
    ]);
    expect(trail.every(({ reason }) => reason !== '')).toBe(true);
  });

  test('without a usable place, the error holds what was tried', async () => {
    using tree = tempTree(layout);
    const resolution = await resolveWorkspace(
      { cwd: '/', environment: { PWD: './x' }, client: { name: 'Zed' }, roots: { state: 'unsupported' } },
      plain(tree),
    );
    expect(resolution).toMatchObject({ status: 'unresolved', roots: [] });
    if (resolution.status !== 'unresolved') return;
    const { tried } = resolution.error.data;
    expect(tried).toContainEqual(expect.stringContaining('walk-up ("/"): it is a whole file system'));
    expect(tried).toContainEqual(expect.stringContaining('pwd ("./x"): it is not absolute'));
    expect(resolution.error.hint).toContain('Zed');
  });
});

function without(signals: Signals, source: string): Signals {
  const key =
    (
      { 'request-meta': 'meta', operator: 'ceiling', 'walk-up': 'cwd', pwd: 'environment' } as Record<
        string,
        string
      >
    )[source] ?? source;
  return Object.fromEntries(Object.entries(signals).filter(([name]) => name !== key));
}

describe("the caller's choice", () => {
  test('must lie within the roots of the operator or the client', async () => {
    using tree = tempTree(['home/app/', 'home/secret/']);
    const argument = tree.at('home/secret');
    for (const bound of [{ ceiling: rootsAt(tree, 'home/app') }, { roots: listed(tree, 'home/app') }]) {
      const resolution = await resolveWorkspace({ argument, ...bound }, plain(tree));
      expect(stepOf(resolution, 'argument')).toMatchObject({
        source: 'argument',
        outcome: 'refused',
        reason: 'it is outside of what is allowed',
      });
      // No other source replaces it: the call meant another project.
      expect(resolution.status).toBe('unresolved');
    }
  });

  test('must not lead out of the allowed roots through a link', async () => {
    using tree = tempTree([
      'home/app/ln => ../out',
      'home/app/in => sub',
      'home/app/sub/',
      'home/out/package.json = {"name":"secret"}',
    ]);
    const ceiling = rootsAt(tree, 'home/app');
    const out = await resolveWorkspace({ argument: tree.at('home/app/ln'), ceiling }, plain(tree));
    expect(stepOf(out, 'argument')?.reason).toBe('it leads out of what is allowed');
    expect(JSON.stringify(out)).not.toContain('secret');
    expect(await resolveWorkspace({ argument: tree.at('home/app/in'), ceiling }, plain(tree))).toMatchObject({
      source: 'argument',
    });
  });

  test('names a project where nothing is allowed, and grants nothing', async () => {
    using tree = tempTree(['home/app/']);
    const resolution = await resolveWorkspace({ argument: tree.at('home/app') }, plain(tree));
    expect(resolution).toMatchObject({ status: 'resolved', source: 'argument', roots: [] });
  });

  test('leaves the roots as they are', async () => {
    using tree = tempTree(['home/app/sub/', 'home/other/']);
    const roots = listed(tree, 'home/app', 'home/other');
    const resolution = await resolveWorkspace({ argument: tree.at('home/app/sub'), roots }, plain(tree));
    expect(resolution.roots.map(({ path }) => path)).toEqual([tree.at('home/app'), tree.at('home/other')]);
  });
});

describe('several roots', () => {
  test('all are granted, and the one that contains the current directory is the project', async () => {
    using tree = tempTree(['home/a/', 'home/b/src/']);
    const resolution = await resolveWorkspace(
      { roots: listed(tree, 'home/a', 'home/b'), cwd: tree.at('home/b/src') },
      plain(tree),
    );
    expect(summary(resolution)).toMatchObject({ source: 'roots', location: tree.at('home/b') });
    expect(resolution.roots).toHaveLength(2);
  });

  test('are ambiguous if the call needs one and no signal decides', async () => {
    using tree = tempTree(['home/a/', 'home/b/']);
    const signals: Signals = { roots: listed(tree, 'home/a', 'home/b'), cwd: '/' };
    expect(summary(await resolveWorkspace(signals, plain(tree)))).toMatchObject({
      location: tree.at('home/a'),
    });
    const resolution = await resolveWorkspace(signals, { ...plain(tree), needsOne: true });
    expect(resolution).toMatchObject({ status: 'ambiguous', error: { code: 'AMBIGUOUS_PROJECT' } });
    if (resolution.status !== 'ambiguous') return;
    expect(resolution.candidates.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(resolution.error.hint).toContain(tree.at('home/b'));
  });

  test('one that is missing does not affect the others', async () => {
    using tree = tempTree(['home/a/']);
    const resolution = await resolveWorkspace({ roots: listed(tree, 'home/gone', 'home/a') }, plain(tree));
    expect(summary(resolution)).toMatchObject({ location: tree.at('home/a') });
    expect(resolution.issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('a root that is a file stands for its directory', async () => {
    using tree = tempTree(['home/a/notes.md']);
    const resolution = await resolveWorkspace({ roots: listed(tree, 'home/a/notes.md') }, plain(tree));
    expect(summary(resolution)).toMatchObject({ location: tree.at('home/a') });
    expect(resolution.roots).toMatchObject([{ path: tree.at('home/a/notes.md'), kind: 'file' }]);
  });
});

describe('the guard', () => {
  test('a repository in the home directory is not found by going up', async () => {
    using tree = tempTree(['home/.git/HEAD', 'home/notes/']);
    const resolution = await resolveWorkspace({ cwd: tree.at('home/notes') }, plain(tree));
    expect(resolution.status).toBe('unresolved');
    expect(stepOf(resolution, 'walk-up')).toMatchObject({
      source: 'walk-up',
      reason: expect.stringContaining('home directory'),
    });
  });

  test('a home directory that the client lists is used, with a warning', async () => {
    using tree = tempTree(['home/']);
    const resolution = await resolveWorkspace({ roots: listed(tree, 'home') }, plain(tree));
    expect(resolution.status).toBe('resolved');
    expect(resolution.issues).toEqual([expect.objectContaining({ code: 'too-broad', effect: 'warned' })]);
  });

  test('a process shared by several windows lowers the confidence', async () => {
    using tree = tempTree(['home/app/.git/HEAD']);
    const resolution = await resolveWorkspace(
      {
        client: { name: 'cursor-vscode' },
        cwd: tree.at('home/app'),
        roots: { state: 'empty', revoked: false },
      },
      plain(tree),
    );
    expect(summary(resolution)).toMatchObject({ source: 'walk-up', confidence: 'weak' });
  });

  test('a link to the home directory is the home directory, under either name', async () => {
    using tree = tempTree(['h/.git/HEAD', 'h/notes/', 'home => h', 'lnk => h']);
    for (const signals of [
      { environment: { PWD: tree.at('lnk') } },
      { cwd: tree.at('h') },
      { cwd: tree.at('lnk/notes') },
    ]) {
      expect((await resolveWorkspace(signals, plain(tree))).status).toBe('unresolved');
    }
    // Without a home directory there, the same places are projects.
    const elsewhere = { around: { home: '/nowhere', temporary: '/nowhere' } };
    expect((await resolveWorkspace({ cwd: tree.at('h') }, elsewhere)).status).toBe('resolved');
  });

  test('the directory of a plugin is not a project', async () => {
    using tree = tempTree(['home/plugin/.git/HEAD']);
    const place = tree.at('home/plugin');
    const environment = { CLAUDE_PLUGIN_ROOT: place };
    const resolution = await resolveWorkspace({ cwd: place, environment }, plain(tree));
    expect(resolution.trail.find(({ source }) => source === 'walk-up')?.reason).toBe(
      'a plugin is installed there',
    );
    expect((await resolveWorkspace({ cwd: place }, plain(tree))).status).toBe('resolved');
  });

  test("a PWD that differs from the process's directory is used last, and reported as stale", async () => {
    using tree = tempTree(['home/app/']);
    const resolution = await resolveWorkspace(
      { cwd: '/', environment: { PWD: tree.at('home/app') } },
      plain(tree),
    );
    expect(summary(resolution)).toEqual({ source: 'pwd', confidence: 'weak', location: tree.at('home/app') });
    expect(stepOf(resolution, 'pwd')?.reason).toContain('where the launcher was');
  });

  test('an unexpanded placeholder is refused by its name', async () => {
    using tree = tempTree(['home/']);
    const resolution = await resolveWorkspace({ pinned: '${workspaceFolder}' }, plain(tree));
    expect(stepOf(resolution, 'pinned')).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('${workspaceFolder}'),
    });
  });
});

test.each(['default', 'rfc-0020'] as const)('%s: a named place must exist', async (other) => {
  using tree = tempTree();
  const signals = { roots: listed(tree, 'gone'), environment: { PWD: tree.at('gone') } };
  const resolution = await resolveWorkspace(signals, { preset: other });
  expect(resolution.status).toBe('unresolved');
  expect(resolution.trail.find(({ source }) => source === 'roots')?.reason).toBe('it does not exist');
});

test('the rules of Windows apply on any machine', async () => {
  const disk = memoryDisk(['C:\\Users\\u\\app', 'C:\\Users\\u\\app\\.git', 'C:\\Windows\\System32']);
  const around = { platform: 'win32', home: 'C:\\Users\\u', temporary: 'C:\\Temp' } as const;
  const roots: RootsAnswer = {
    state: 'listed',
    roots: parseRoots([{ uri: 'file:///c%3A/Users/u/app' }], { platform: 'win32' }).roots,
  };
  expect(await resolveWorkspace({ roots }, { disk, around })).toMatchObject({
    project: { location: 'C:\\Users\\u\\app' },
  });
  const desktop = await resolveWorkspace({ cwd: 'C:\\Windows\\System32' }, { disk, around });
  expect(stepOf(desktop, 'walk-up')?.reason).toBe('it belongs to the system');
});

const disk = memoryDisk(['/home/u/app', '/home/u/app/.git', '/home/u/.git', '/home/u/plain']);
const around = { platform: 'posix', home: '/home/u' } as const;

function run(signals: Signals) {
  return runChain(createChainContext(signals, {}, { around, disk }));
}

describe('runChain', () => {
  test('asks no source after the chosen one, but records what it would have named', async () => {
    const { chosen, trail } = await run({ pinned: '/home/u/app', cwd: '/home/u/plain' });
    expect(chosen?.source.name).toBe('pinned');
    expect(trail.find(({ source }) => source === 'walk-up')).toEqual({
      source: 'walk-up',
      outcome: 'passed',
      offered: ['/home/u/plain'],
      reason: 'an earlier source settled it',
    });
  });

  test('continues after a source without a usable place', async () => {
    const { chosen, trail, issues } = await run({
      initialize: { rootUri: 'file:///gone' },
      cwd: '/home/u/app',
    });
    expect(chosen?.source.name).toBe('walk-up');
    expect(stepOf({ trail }, 'initialize')).toMatchObject({
      outcome: 'refused',
      reason: 'it does not exist',
    });
    expect(issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('does not replace an explicit source that cannot be used', async () => {
    const { chosen, trail } = await run({ pinned: '/gone', cwd: '/home/u/app' });
    expect(chosen).toBeUndefined();
    expect(stepOf({ trail }, 'pinned')).toMatchObject({ outcome: 'refused', reason: 'it does not exist' });
    expect(trail.find(({ source }) => source === 'walk-up')?.outcome).toBe('passed');
  });

  test('refuses a project in a dangerous place', async () => {
    const { chosen, trail } = await run({ cwd: '/home/u/plain' });
    expect(chosen).toBeUndefined();
    expect(stepOf({ trail }, 'walk-up')?.reason).toContain('home directory');
  });
});
