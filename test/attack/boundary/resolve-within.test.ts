import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../support/trees/memory-disk.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { parseRoots, type Root } from '../../../src/path/root.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import type { ResolveOptions } from '../../../src/workspace/chain/chain-context.ts';
import { resolveWorkspace } from '../../../src/workspace/chain/resolve-workspace.ts';
import { allSources, type SourceName, sourceNames } from '../../../src/workspace/sources/all-sources.ts';
import type { Signals } from '../../../src/workspace/sources/root-source.ts';

function rootsAt(tree: TempTree, ...names: readonly string[]): readonly Root[] {
  return parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
}

function within(tree: TempTree, ...names: readonly string[]): ResolveOptions {
  return { around: { home: tree.at('home'), temporary: tree.at('tmp') }, within: rootsAt(tree, ...names) };
}

type SignalsFor = (tree: TempTree, name: string) => Signals;

/** The least that makes a source name one place. */
const known: readonly [SourceName, SignalsFor][] = [
  ['argument', (tree, name) => ({ argument: tree.at(name) })],
  ['pinned', (tree, name) => ({ pinned: tree.at(name) })],
  ['switched', (tree, name) => ({ switched: toFileUri(tree.at(name)) })],
  [
    'request-meta',
    (tree, name) => ({ client: { name: 'goose' }, meta: { 'agent-working-dir': tree.at(name) } }),
  ],
  ['roots', (tree, name) => ({ roots: { state: 'listed', roots: rootsAt(tree, name) } })],
  ['remembered', (tree, name) => ({ remembered: rootsAt(tree, name) })],
  ['initialize', (tree, name) => ({ initialize: { rootUri: toFileUri(tree.at(name)) } })],
  [
    'client-env',
    (tree, name) => ({ client: { name: 'claude-code' }, environment: { CLAUDE_PROJECT_DIR: tree.at(name) } }),
  ],
  ['operator', (tree, name) => ({ ceiling: rootsAt(tree, name) })],
  ['walk-up', (tree, name) => ({ cwd: tree.at(name) })],
  ['pwd', (tree, name) => ({ environment: { PWD: tree.at(name) } })],
];

/** A source that is not in the table gets every signal, and any variable that it asks for. No plugin is installed. */
const everything: SignalsFor = (tree, name) => ({
  ...Object.assign({}, ...known.map(([, signalsFor]) => signalsFor(tree, name))),
  environment: new Proxy<Record<string, string>>(
    {},
    { get: (_, key) => (String(key).endsWith('PLUGIN_ROOT') ? undefined : tree.at(name)) },
  ),
});

/** Every source, naming one place. */
const ways = sourceNames.map(
  (name) => [name, known.find(([one]) => one === name)?.[1] ?? everything] as const,
);

const layout = ['app/.git/HEAD', 'app/src/', 'other/.git/HEAD', 'app/out => ../other', 'app/in => src'];

describe.each(ways)('what %s names', (source, signalsFor) => {
  const isTold = allSources[source].fromOutside === true;
  const stepOf = async (tree: TempTree, name: string, ...roots: readonly string[]) => {
    const alone = signalsFor === everything ? { sources: [source] } : {};
    const options = { ...within(tree, ...roots), ...alone };
    const { trail, status } = await resolveWorkspace(signalsFor(tree, name), options);
    const { outcome, reason } = trail.find((step) => step.source === source) ?? {};
    return { status, outcome, reason };
  };

  test('is taken within the roots that count', async () => {
    using tree = tempTree(layout);
    expect(await stepOf(tree, 'app', 'app')).toMatchObject({ status: 'resolved', outcome: 'chosen' });
    expect(await stepOf(tree, 'app', 'other', 'app')).toMatchObject({ status: 'resolved' });
  });

  test('is refused outside of them, there or not', async () => {
    using tree = tempTree(layout);
    for (const name of ['other', 'app', 'gone', 'app-old'])
      expect(await stepOf(tree, name, 'app/src')).toEqual({
        status: 'unresolved',
        outcome: 'refused',
        reason: 'it is outside of what is allowed',
      });
  });

  test('is refused where nothing is allowed', async () => {
    using tree = tempTree(layout);
    expect(await stepOf(tree, 'app')).toMatchObject({
      status: 'unresolved',
      reason: 'it is outside of what is allowed',
    });
  });

  test('is refused where a link leads out', async () => {
    using tree = tempTree(layout);
    expect(await stepOf(tree, 'app/out', 'app')).toEqual({
      status: 'unresolved',
      outcome: 'refused',
      reason: 'it leads out of what is allowed',
    });
    // Negative control: the link is there, and leads where it says.
    expect(readFileSync(tree.at('app/out/.git/HEAD'), 'utf8')).toBe('other/.git/HEAD');
    // What a client or a model names is reached from the root that its text lies in, and from no other.
    const status = isTold ? 'unresolved' : 'resolved';
    expect(await stepOf(tree, 'app/out', 'app', 'other')).toMatchObject({ status });
    expect(await stepOf(tree, 'app/in', 'app')).toMatchObject({ status: 'resolved' });
  });

  test('is taken under the real name of a root, and under any other only if the process itself says it', async () => {
    using tree = tempTree([...layout, 'link => app']);
    expect(await stepOf(tree, 'app', 'link')).toMatchObject({ status: 'resolved' });
    expect(await stepOf(tree, 'link', 'app')).toMatchObject({ status: isTold ? 'unresolved' : 'resolved' });
  });
});

describe('the chain', () => {
  test('goes on after a place outside, to the next source', async () => {
    using tree = tempTree(layout);
    const signals: Signals = {
      roots: { state: 'listed', roots: rootsAt(tree, 'other') },
      cwd: tree.at('app/src'),
    };
    expect(await resolveWorkspace(signals, within(tree, 'app'))).toMatchObject({
      source: 'walk-up',
      project: { location: tree.at('app') },
      roots: [{ path: tree.at('app') }],
    });
  });

  test.each(['argument', 'pinned', 'switched'] as const)(
    'lets no client answer for %s, which lies outside',
    async (name) => {
      using tree = tempTree(layout);
      const signals = {
        [name]: tree.at('other'),
        roots: { state: 'listed', roots: rootsAt(tree, 'app') },
      } as const;
      const resolution = await resolveWorkspace(signals, within(tree, 'app'));
      expect(resolution.status).toBe('unresolved');
      expect(resolution.trail.find(({ source }) => source === 'roots')?.outcome).toBe('passed');
    },
  );

  test('leaves out the roots that do not count, and keeps the others', async () => {
    using tree = tempTree(layout);
    const roots = { state: 'listed', roots: rootsAt(tree, 'other', 'app') } as const;
    const resolution = await resolveWorkspace({ roots }, within(tree, 'app'));
    expect(resolution.roots.map(({ path }) => path)).toEqual([tree.at('app')]);
  });

  test('grants every caller the roots that count, and no more', async () => {
    using tree = tempTree(layout);
    const signals: Signals = {
      argument: tree.at('app/src'),
      roots: { state: 'listed', roots: rootsAt(tree, 'app', 'other') },
      ceiling: rootsAt(tree, 'other'),
    };
    const options = within(tree, 'app');
    expect((await resolveWorkspace(signals, options)).roots).toEqual(options.within);
  });

  test.each(['default', 'adr-009', 'rfc-0020'] as const)('keeps %s within, too', async (preset) => {
    using tree = tempTree(['app/.blue/', 'other/.blue/']);
    const signals: Signals = {
      roots: { state: 'listed', roots: rootsAt(tree, 'other') },
      environment: { PWD: tree.at('other') },
      cwd: tree.at('other'),
    };
    const options = { ...within(tree, 'app'), preset };
    expect((await resolveWorkspace(signals, options)).status).toBe('unresolved');
    expect((await resolveWorkspace(signals, { ...options, within: rootsAt(tree, 'other') })).status).toBe(
      'resolved',
    );
  });

  test('says the same about every source where nothing is allowed', async () => {
    using tree = tempTree(layout);
    const asked = ['roots', 'remembered', 'initialize', 'operator', 'walk-up', 'pwd'];
    const named = ways.filter(([name]) => asked.includes(name));
    const signals: Signals = Object.assign({}, ...named.map(([, signalsFor]) => signalsFor(tree, 'app')));
    const resolution = await resolveWorkspace(signals, within(tree));
    expect(resolution).toMatchObject({ status: 'unresolved', roots: [] });
    const steps = resolution.trail.filter(({ outcome }) => outcome !== 'absent');
    expect(steps.map(({ source, outcome, reason }) => [source, outcome, reason])).toEqual(
      asked.map((name) => [name, 'refused', 'it is outside of what is allowed']),
    );
  });
});

test('a thousand roots are not compared with a thousand places', async () => {
  const paths = Array.from({ length: 1_000 }, (_, index) => `/home/u/p${index}`);
  const roots = parseRoots(
    paths.map((path) => ({ uri: toFileUri(path, { platform: 'posix' }) })),
    { platform: 'posix' },
  ).roots;
  const looks: string[] = [];
  const disk = memoryDisk(paths);
  const counting = { ...disk, realPath: (path: string) => (looks.push(path), disk.realPath(path)) };
  const options = { within: roots, disk: counting, around: { platform: 'posix', home: '/home/u' } } as const;
  const resolution = await resolveWorkspace({ roots: { state: 'listed', roots } }, options);
  expect(resolution).toMatchObject({ status: 'resolved', roots: { length: 1_000 } });
  // Once for each place, and not once more for each root.
  expect(looks.length).toBeLessThan(1_100);
});
