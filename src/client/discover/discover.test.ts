import { describe, expect, test } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Candidate } from './candidate.ts';
import { type CandidateSearch, discover, type DiscoverOptions, type DiscoverProgress } from './discover.ts';

/** A search that ignores this machine. */
function search(tree: TempTree, path = 'home', options: DiscoverOptions = {}): CandidateSearch {
  const home = tree.at('home');
  return discover(tree.at(path), {
    around: { home, temporary: tree.at('tmp') },
    recent: { system: 'linux', home, environment: {} },
    ...options,
  });
}

async function collect(candidates: CandidateSearch): Promise<readonly Candidate[]> {
  const all: Candidate[] = [];
  for await (const candidate of candidates) all.push(candidate);
  return all;
}

async function tell(candidates: CandidateSearch, tree: TempTree): Promise<readonly string[]> {
  const from = tree.path.length + 1;
  return (await collect(candidates)).map(
    ({ root, score }) => `${score} ${root.path.slice(from)} ${root.name}`,
  );
}

describe('seed 004, AutomaticRootDetector', () => {
  test('detectGitRepositories: directories that contain .git', async () => {
    using tree = tempTree([
      'home/repos/frontend/.git/HEAD',
      'home/repos/backend/.git/HEAD',
      'home/docs/a.md',
    ]);
    expect(await tell(search(tree), tree)).toEqual([
      '40 home/repos/backend backend',
      '40 home/repos/frontend frontend',
    ]);
  });

  test.each([
    ['package.json', '{"name":"app"}', 'app'],
    ['Cargo.toml', '[package]\nname = "app"', 'app'],
    ['pyproject.toml', '[project]\nname = "app"', 'app'],
    ['pom.xml', '<project><artifactId>app</artifactId></project>', 'app'],
    ['build.gradle', '', 'dir'],
  ])('detectProjectFiles: %s', async (file, text, name) => {
    using tree = tempTree([`home/dir/${file} = ${text}`]);
    const [candidate] = await collect(search(tree));
    expect(candidate?.root).toEqual({
      uri: `file://${tree.at('home/dir')}`,
      path: tree.at('home/dir'),
      name,
      kind: 'directory',
    });
    expect(candidate?.reasons).toMatchObject([{ code: 'manifest', detail: file }]);
  });

  test('detectWorkspaces: *.code-workspace, with the folders that it names', async () => {
    using tree = tempTree([
      'home/ws/team.code-workspace = {"folders":[{"path":"../plain"},{"path":"."},{"path":"../none"}]}',
      'home/plain/a.txt',
    ]);
    const found = await collect(search(tree));
    expect(
      found.map(({ root, reasons }) => `${root.name} ${reasons.map(({ code }) => code).join()}`),
    ).toEqual(['plain workspace-folder', 'team workspace']);
  });
});

describe('the ranking', () => {
  test('puts a repository with a project file before its packages, with reasons', async () => {
    using tree = tempTree([
      'home/mono/.git/HEAD',
      'home/mono/package.json = {"name":"mono","workspaces":["packages/*"]}',
      'home/mono/packages/a/package.json = {"name":"@mono/a"}',
      'home/mono/tools/x/package.json = {"name":"x"}',
      'home/plain/package.json = {"name":"plain"}',
    ]);
    const found = await collect(search(tree));
    expect(found.map(({ root, score }) => `${score} ${root.name}`)).toEqual([
      '70 mono',
      '30 plain',
      '20 x',
      '10 @mono/a',
    ]);
    expect(
      found.every(({ score, reasons }) => score === reasons.reduce((sum, it) => sum + it.points, 0)),
    ).toBe(true);
    expect(found.at(-1)).toMatchObject({ parent: tree.at('home/mono'), markers: ['package.json'] });
  });

  test('does not depend on the order of names: a workspace counts for a folder found earlier', async () => {
    const folder = 'package.json = {"name":"api"}';
    using tree = tempTree([
      `home/a-api/${folder}`,
      `home/z-api/${folder}`,
      'home/m/team.code-workspace = {"folders":[{"path":"../a-api"},{"path":"../z-api"}]}',
    ]);
    const found = await collect(search(tree));
    expect(found.slice(0, 2).map(({ score }) => score)).toEqual([50, 50]);
  });

  test('is left to the caller if candidates are yielded as they are found', async () => {
    using tree = tempTree(['home/a/Makefile', 'home/b/.git/HEAD', 'home/c/package.json']);
    // Progress when the first candidate came, and at the end. A slow machine may report in between.
    const walk = async (order: 'found' | 'rank'): Promise<{ first: number; last: number }> => {
      let [seen, first] = [0, -1];
      const onProgress = ({ directories }: { readonly directories: number }): void => {
        seen = directories;
      };
      for await (const _ of search(tree, 'home', { order, onProgress })) if (first === -1) first = seen;
      return { first, last: seen };
    };
    const [found, ranked] = [await walk('found'), await walk('rank')];
    expect(ranked.first).toBe(ranked.last);
    expect(found.first).toBeLessThan(found.last);
  });
});

describe('folders that editors had open', () => {
  const opened = (folder: string): string =>
    `home/.config/Code/User/workspaceStorage/x/workspace.json = {"folder":"file://${folder}"}`;

  test('add to a project that was found, without duplicates', async () => {
    using tree = tempTree(['home/app/.git/HEAD', 'home/link => app']);
    tree.add(opened(tree.at('home/link')));
    const [candidate, ...more] = await collect(search(tree));
    expect(more).toEqual([]);
    expect(candidate?.reasons.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      'repository .git',
      'opened-this-week VS Code',
    ]);
    expect(candidate?.opened).toBeInstanceOf(Date);
  });

  test('are candidates anywhere, whatever they contain', async () => {
    using tree = tempTree(['home/', 'elsewhere/notes/a.md']);
    tree.add(opened(tree.at('elsewhere/notes')));
    expect(await tell(search(tree), tree)).toEqual(['30 elsewhere/notes notes']);
    expect(await collect(search(tree, 'home', { recent: false }))).toEqual([]);
  });

  test('are not candidates if they are gone or sensitive', async () => {
    using tree = tempTree(['home/.ssh/id']);
    tree.add(opened(tree.at('home/.ssh')));
    expect(await collect(search(tree))).toEqual([]);
    tree.add(opened(tree.at('none')));
    expect(await collect(search(tree))).toEqual([]);
  });
});

describe('never proposes', () => {
  test('home as a repository, a cache of plugins, keys under version control', async () => {
    using tree = tempTree([
      'home/.git/HEAD',
      'home/.aws/.git/HEAD',
      'home/x/.cursor/plugins/p/package.json',
      'home/code/package.json = {"name":"code"}',
    ]);
    expect((await collect(search(tree, 'home', { prune: [] }))).map(({ root }) => root.name)).toEqual([
      'code',
    ]);
  });

  test.each(['/', '/etc', '/usr/bin'])('refuses to search %s', async (path) => {
    await expect(collect(discover(path, { recent: false }))).rejects.toMatchObject({ code: 'TOO_BROAD' });
  });
});

describe('a long search', () => {
  const repositories = Array.from({ length: 30 }, (_, count) => `home/r${count}/.git/HEAD`);

  test('reports progress, and the number of candidates at the end', async () => {
    using tree = tempTree(repositories);
    const told: DiscoverProgress[] = [];
    const options = { onProgress: (it: DiscoverProgress) => void told.push(it), progressMilliseconds: 0 };
    await collect(search(tree, 'home', options));
    expect(told.length).toBeGreaterThan(2);
    expect(told.at(-1)).toMatchObject({ candidates: 30 });
    expect(told.map(({ entries }) => entries)).toEqual(
      told.map(({ entries }) => entries).toSorted((a, b) => a - b),
    );
  });

  test('stops at its limits and says which one', async () => {
    using tree = tempTree(repositories);
    const few = search(tree, 'home', { candidates: 5 });
    expect(await collect(few)).toHaveLength(5);
    expect(few.stopped).toBe('candidates');
    const shallow = search(tree, 'home', { depth: 0 });
    expect(await collect(shallow)).toEqual([]);
    expect(shallow.stopped).toBe('depth');
    const late = search(tree, 'home', { milliseconds: 0 });
    await collect(late);
    expect(late.stopped).toBe('time');
    const whole = search(tree);
    await collect(whole);
    expect([whole.stopped, whole.skipped]).toEqual([undefined, 0]);
  });

  test('ends with its signal or when the loop is left, and leaves nothing open', async () => {
    using tree = tempTree(repositories);
    const controller = new AbortController();
    const seen: Candidate[] = [];
    const options: DiscoverOptions = { order: 'found', signal: controller.signal };
    const run = async (): Promise<void> => {
      for await (const candidate of search(tree, 'home', options)) {
        seen.push(candidate);
        controller.abort();
      }
    };
    await expect(run()).rejects.toThrow(/abort/i);
    expect(seen.length).toBeLessThan(30);
    for await (const candidate of search(tree, 'home', { order: 'found' })) {
      expect(candidate.kind).toBe('repository');
      break;
    }
    expect(openHandles(tree.path)).toEqual([]);
  });
});
