import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Signals } from '../sources/root-source.ts';
import type { RootsAnswer } from '../sources/roots-answer.ts';
import { openWorkspace } from '../workspace.ts';
import { createChainContext, type ResolveOptions } from './chain-context.ts';
import type { Resolution } from './resolution.ts';
import { resolveWorkspace, runChain } from './resolve-workspace.ts';

function rootsAt(tree: TempTree, ...names: readonly string[]): readonly Root[] {
  return parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
}

function listed(tree: TempTree, ...names: readonly string[]): RootsAnswer {
  return { state: 'listed', roots: rootsAt(tree, ...names) };
}

/** What a person would check first: status, source, place. */
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

  test('each source wins over all that come after it', async () => {
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
    for (let round = 0; round < 11; round += 1) {
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

  test('the trail tells of every source, also of those that were passed over', async () => {
    using tree = tempTree(layout);
    const { trail } = await resolveWorkspace(
      { roots: listed(tree, 'home/app'), cwd: '/', environment: { PWD: '.' } },
      plain(tree),
    );
    expect(trail.map(({ source, outcome }) => [source, outcome])).toEqual([
      ['argument', 'absent'],
      ['pinned', 'absent'],
      ['switched', 'absent'],
      ['request-meta', 'absent'],
      ['roots', 'chosen'],
      ['remembered', 'absent'],
      ['initialize', 'absent'],
      ['client-env', 'absent'],
      ['operator', 'absent'],
      ['walk-up', 'passed'],
      ['pwd', 'passed'],
    ]);
    expect(trail.every(({ reason }) => reason !== '')).toBe(true);
  });

  test('nothing usable is an error that says what was tried', async () => {
    using tree = tempTree(layout);
    const resolution = await resolveWorkspace(
      { cwd: '/', environment: { PWD: './x' }, client: { name: 'Zed' }, roots: { state: 'unsupported' } },
      plain(tree),
    );
    expect(resolution).toMatchObject({ status: 'unresolved', roots: [] });
    if (resolution.status !== 'unresolved') return;
    expect(resolution.error.message).toContain('walk-up ("/"): it is a whole file system');
    expect(resolution.error.message).toContain('pwd ("./x"): it is not absolute');
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

describe('what the caller chose', () => {
  test('must lie within what the operator or the client allowed', async () => {
    using tree = tempTree(['home/app/', 'home/secret/']);
    const argument = tree.at('home/secret');
    for (const bound of [{ ceiling: rootsAt(tree, 'home/app') }, { roots: listed(tree, 'home/app') }]) {
      const resolution = await resolveWorkspace({ argument, ...bound }, plain(tree));
      expect(resolution.trail[0]).toMatchObject({
        source: 'argument',
        outcome: 'refused',
        reason: 'it is outside of what is allowed',
      });
      // Nobody else answers in its place: the call meant another project.
      expect(resolution.status).toBe('unresolved');
    }
  });

  test('must not lead out of what is allowed through a link', async () => {
    using tree = tempTree([
      'home/app/ln => ../out',
      'home/app/in => sub',
      'home/app/sub/',
      'home/out/package.json = {"name":"secret"}',
    ]);
    const ceiling = rootsAt(tree, 'home/app');
    const out = await resolveWorkspace({ argument: tree.at('home/app/ln'), ceiling }, plain(tree));
    expect(out.trail[0]?.reason).toBe('it leads out of what is allowed');
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
  test('all are granted, and the one that holds the current directory is the project', async () => {
    using tree = tempTree(['home/a/', 'home/b/src/']);
    const resolution = await resolveWorkspace(
      { roots: listed(tree, 'home/a', 'home/b'), cwd: tree.at('home/b/src') },
      plain(tree),
    );
    expect(summary(resolution)).toMatchObject({ source: 'roots', location: tree.at('home/b') });
    expect(resolution.roots).toHaveLength(2);
  });

  test('are ambiguous where the call needs one and nothing tells which', async () => {
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

  test('one that is missing does not spoil the others', async () => {
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
    expect(resolution.trail.at(-2)).toMatchObject({
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

  test('one process for several windows is a weak witness', async () => {
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

  test('the directory of a plugin is no project', async () => {
    using tree = tempTree(['home/plugin/.git/HEAD']);
    const place = tree.at('home/plugin');
    const environment = { CLAUDE_PLUGIN_ROOT: place };
    const resolution = await resolveWorkspace({ cwd: place, environment }, plain(tree));
    expect(resolution.trail.find(({ source }) => source === 'walk-up')?.reason).toBe(
      'a plugin is installed there',
    );
    expect((await resolveWorkspace({ cwd: place }, plain(tree))).status).toBe('resolved');
  });

  test('a PWD that the process has left is used last, and said to be stale', async () => {
    using tree = tempTree(['home/app/']);
    const resolution = await resolveWorkspace(
      { cwd: '/', environment: { PWD: tree.at('home/app') } },
      plain(tree),
    );
    expect(summary(resolution)).toEqual({ source: 'pwd', confidence: 'weak', location: tree.at('home/app') });
    expect(resolution.trail.at(-1)?.reason).toContain('where the launcher was');
  });

  test('a placeholder that nobody filled in is refused by its name', async () => {
    using tree = tempTree(['home/']);
    const resolution = await resolveWorkspace({ pinned: '${workspaceFolder}' }, plain(tree));
    expect(resolution.trail[1]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('${workspaceFolder}'),
    });
  });
});

describe('adr-009', () => {
  const preset = { preset: 'adr-009' } as const;

  test('adr-009: primary, the basename of the first client root', async () => {
    using tree = tempTree(['one/package.json = {"name":"not-this"}', 'two/']);
    const resolution = await resolveWorkspace(
      { roots: listed(tree, 'one', 'two'), cwd: tree.at('two') },
      preset,
    );
    expect(resolution).toMatchObject({ status: 'resolved', source: 'roots', project: { name: 'one' } });
  });

  test('adr-009: secondary, the cached project when the client fails', async () => {
    using tree = tempTree(['one/']);
    const failed: RootsAnswer = { state: 'failed', afterChange: false, reason: '-32601' };
    const resolution = await resolveWorkspace({ roots: failed, remembered: rootsAt(tree, 'one') }, preset);
    expect(resolution).toMatchObject({ source: 'remembered', project: { name: 'one' } });
  });

  test('adr-009: last fallback, the basename of an absolute PWD', async () => {
    using tree = tempTree(['one/']);
    const resolution = await resolveWorkspace({ environment: { PWD: tree.at('one') }, cwd: '/' }, preset);
    expect(resolution).toMatchObject({ source: 'pwd', project: { name: 'one' } });
  });

  test.each(['.', '..', './foo', '', undefined])('adr-009: PWD %j is never a project', async (PWD) => {
    const resolution = await resolveWorkspace({ environment: { PWD } }, preset);
    expect(resolution.status).toBe('unresolved');
  });

  test('adr-009: never the directory of the process', async () => {
    const resolution = await resolveWorkspace({ cwd: process.cwd() }, preset);
    expect(resolution).toMatchObject({
      status: 'unresolved',
      error: {
        message:
          'Project context not available. Call switch_project with the basename of the current working directory.',
      },
    });
  });

  test('adr-009: only absolute is demanded of PWD, which need not be there', async () => {
    using tree = tempTree();
    const environment = { PWD: tree.at('gone/app') };
    const resolution = await resolveWorkspace({ environment }, preset);
    expect(resolution).toMatchObject({
      status: 'resolved',
      source: 'pwd',
      project: { name: 'app', location: tree.at('gone/app'), kind: 'directory', markers: [] },
      issues: [],
    });
    expect(await resolveWorkspace({ environment }, preset)).toEqual(resolution);
  });

  test('adr-009: a root that is not there is a project by its basename, and the first one counts', async () => {
    using tree = tempTree(['there/']);
    for (const signals of [
      { roots: listed(tree, 'gone', 'there') },
      { remembered: rootsAt(tree, 'gone', 'there') },
    ]) {
      expect(await resolveWorkspace(signals, preset)).toMatchObject({
        status: 'resolved',
        project: { name: 'gone', location: tree.at('gone'), kind: 'directory', markers: [] },
      });
    }
  });

  test('adr-009: two places of one name that are not there have two ids', async () => {
    using tree = tempTree();
    const idOf = async (name: string): Promise<unknown> => {
      const resolution = await resolveWorkspace({ roots: listed(tree, name) }, preset);
      return resolution.status === 'resolved' ? resolution.project.id : undefined;
    };
    expect(await idOf('a/app')).toBe(await idOf('a/app'));
    expect(await idOf('a/app')).not.toBe(await idOf('b/app'));
  });

  test('adr-009: a place that is not there is granted, and opens nothing', async () => {
    using tree = tempTree();
    const { roots } = await resolveWorkspace({ roots: listed(tree, 'gone') }, preset);
    expect(roots).toMatchObject([{ path: tree.at('gone'), kind: 'unknown' }]);
    await using workspace = await openWorkspace(roots);
    expect(workspace.roots).toEqual([]);
    expect(workspace.issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('adr-009: a root that is a file has its own name', async () => {
    using tree = tempTree(['app/notes.md']);
    expect(await resolveWorkspace({ roots: listed(tree, 'app/notes.md') }, preset)).toMatchObject({
      project: { name: 'notes.md', location: tree.at('app') },
    });
  });

  test('adr-009: PWD is a path; a URI in it is not absolute', async () => {
    const resolution = await resolveWorkspace({ environment: { PWD: 'file:///home/me/app' } }, preset);
    expect(resolution.status).toBe('unresolved');
  });

  test.each(['default', 'rfc-0020'] as const)('%s: what is named must be there', async (other) => {
    using tree = tempTree();
    const signals = { roots: listed(tree, 'gone'), environment: { PWD: tree.at('gone') } };
    const resolution = await resolveWorkspace(signals, { preset: other });
    expect(resolution.status).toBe('unresolved');
    expect(resolution.trail.find(({ source }) => source === 'roots')?.reason).toBe('it does not exist');
  });

  test.each<[string, RootsAnswer]>([
    ['client does not implement roots (-32601)', { state: 'unsupported' }],
    ['client advertises but fails', { state: 'failed', afterChange: false, reason: '-32603' }],
    ['roots not configured by the user (empty)', { state: 'empty', revoked: false }],
    ['context not available', { state: 'unasked' }],
  ])('adr-009: when roots are not available: %s', async (_case, roots) => {
    using tree = tempTree(['one/']);
    const resolution = await resolveWorkspace({ roots, environment: { PWD: tree.at('one') } }, preset);
    expect(resolution).toMatchObject({ source: 'pwd' });
  });
});

describe('rfc-0020', () => {
  const preset = { preset: 'rfc-0020', markers: ['.blue'] } as const;

  test('rfc-0020: 1. explicit cwd', async () => {
    using tree = tempTree(['one/.blue/', 'two/.blue/', 'three/.blue/']);
    const resolution = await resolveWorkspace(
      {
        argument: tree.at('one'),
        initialize: { roots: [{ uri: toFileUri(tree.at('two')) }] },
        cwd: tree.at('three'),
      },
      preset,
    );
    expect(resolution).toMatchObject({ source: 'argument', project: { location: tree.at('one') } });
  });

  test('rfc-0020: 2. roots of initialize, workspaceFolders too', async () => {
    using tree = tempTree(['two/.blue/', 'three/.blue/']);
    for (const initialize of [
      { roots: [{ uri: toFileUri(tree.at('two')) }] },
      { workspaceFolders: [{ uri: toFileUri(tree.at('two')), name: 'x' }] },
    ]) {
      const resolution = await resolveWorkspace({ initialize, cwd: tree.at('three') }, preset);
      expect(resolution).toMatchObject({ source: 'initialize', project: { location: tree.at('two') } });
    }
  });

  test('rfc-0020: the argument of one call does not stick', async () => {
    using tree = tempTree(['one/.blue/', 'two/.blue/']);
    const session: Signals = { initialize: { roots: [{ uri: toFileUri(tree.at('two')) }] } };
    expect(await resolveWorkspace({ ...session, argument: tree.at('one') }, preset)).toMatchObject({
      source: 'argument',
    });
    expect(await resolveWorkspace(session, preset)).toMatchObject({ source: 'initialize' });
  });

  test('rfc-0020: 3. walk tree from the process to the marker, past repositories', async () => {
    using tree = tempTree(['three/.blue/', 'three/repo/.git/HEAD', 'three/repo/src/']);
    const signals: Signals = {
      client: { name: 'claude-code', version: '2.1.19' },
      cwd: tree.at('three/repo/src'),
    };
    expect(await resolveWorkspace(signals, preset)).toMatchObject({
      source: 'walk-up',
      project: { location: tree.at('three'), markers: ['.blue'] },
    });
  });

  test('rfc-0020: walks the tree whatever is known about the client', async () => {
    using tree = tempTree(['three/.blue/', 'three/src/']);
    const signals = { client: { name: 'claude-ai' }, cwd: tree.at('three/src') };
    expect(await resolveWorkspace(signals, preset)).toMatchObject({
      source: 'walk-up',
      confidence: 'likely',
    });
    // Otherwise it is known that this client starts servers somewhere else.
    expect((await resolveWorkspace(signals)).status).toBe('unresolved');
  });

  test('rfc-0020: 20 levels at most', async () => {
    const deep = (levels: number): string => Array.from({ length: levels }, () => 'd').join('/');
    using tree = tempTree(['.blue/', `${deep(20)}/`]);
    expect((await resolveWorkspace({ cwd: tree.at(deep(19)) }, preset)).status).toBe('resolved');
    expect((await resolveWorkspace({ cwd: tree.at(deep(20)) }, preset)).status).toBe('unresolved');
  });

  test('rfc-0020: 4. fail with guidance', async () => {
    using tree = tempTree(['nothing/']);
    const resolution = await resolveWorkspace({ cwd: tree.at('nothing') }, preset);
    expect(resolution).toMatchObject({ status: 'unresolved' });
    if (resolution.status !== 'unresolved') return;
    expect(resolution.error.message).toBe(
      `Blue project not found. Either:\n- Pass 'cwd' parameter to tool calls\n- Run from within a Blue project directory\n- Initialize Blue with 'blue init'\nAttempted:\n- walk-up: ${tree.at('nothing')}`,
    );
    expect(resolution.error.hint).toBe("Run 'blue init' or pass 'cwd' parameter.");
  });

  test('rfc-0020: wrong directory', async () => {
    using tree = tempTree(['one/']);
    const resolution = await resolveWorkspace({ argument: tree.at('one'), cwd: tree.at('one') }, preset);
    expect(resolution).toMatchObject({
      status: 'unresolved',
      error: { message: `Blue not detected in: ${tree.at('one')}. Expected .blue/ directory.` },
    });
  });
});

test('the rules of Windows hold on any machine', async () => {
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
  expect(desktop.trail.at(-2)).toMatchObject({ source: 'walk-up', reason: 'it belongs to the system' });
});

const disk = memoryDisk(['/home/u/app', '/home/u/app/.git', '/home/u/.git', '/home/u/plain']);
const around = { platform: 'posix', home: '/home/u' } as const;

function run(signals: Signals) {
  return runChain(createChainContext(signals, {}, { around, disk }));
}

describe('runChain', () => {
  test('asks no source after the one that was chosen, but notes what it would have said', async () => {
    const { chosen, trail } = await run({ pinned: '/home/u/app', cwd: '/home/u/plain' });
    expect(chosen?.source.name).toBe('pinned');
    expect(trail.find(({ source }) => source === 'walk-up')).toEqual({
      source: 'walk-up',
      outcome: 'passed',
      offered: ['/home/u/plain'],
      reason: 'an earlier source settled it',
    });
  });

  test('goes on after a source that named nothing usable', async () => {
    const { chosen, trail, issues } = await run({
      initialize: { rootUri: 'file:///gone' },
      cwd: '/home/u/app',
    });
    expect(chosen?.source.name).toBe('walk-up');
    expect(trail[6]).toMatchObject({ source: 'initialize', outcome: 'refused', reason: 'it does not exist' });
    expect(issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('lets nobody answer for somebody who said so on purpose', async () => {
    const { chosen, trail } = await run({ pinned: '/gone', cwd: '/home/u/app' });
    expect(chosen).toBeUndefined();
    expect(trail[1]).toMatchObject({ source: 'pinned', outcome: 'refused', reason: 'it does not exist' });
    expect(trail.find(({ source }) => source === 'walk-up')?.outcome).toBe('passed');
  });

  test('takes no project that lies where none can be', async () => {
    const { chosen, trail } = await run({ cwd: '/home/u/plain' });
    expect(chosen).toBeUndefined();
    expect(trail.at(-2)?.reason).toContain('home directory');
  });
});
