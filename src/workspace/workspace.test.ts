import { describe, expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { createRootIssue, type RootIssue } from '../path/root-issue.ts';
import { parseRoots, type Root } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { createAnchors } from './anchors.ts';
import { openWorkspace } from './workspace.ts';

function rootsAt(...paths: readonly string[]): readonly Root[] {
  return parseRoots(paths.map((path) => ({ uri: toFileUri(path) }))).roots;
}

describe('openWorkspace', () => {
  test('places a path in the longest root that holds it', async () => {
    using tree = tempTree(['app/docs/a.md', 'other/']);
    await using workspace = await openWorkspace(rootsAt(tree.at('app'), tree.at('app/docs')));
    expect(workspace.locate(tree.at('app/docs/a.md'))).toMatchObject({
      root: { name: 'docs' },
      relative: 'a.md',
    });
    expect(workspace.locate(tree.at('app/x'))).toMatchObject({ root: { name: 'app' }, relative: 'x' });
    expect(workspace.locate(toFileUri(tree.at('app/x y')))).toMatchObject({ relative: 'x y' });
    expect(workspace.locate(tree.at('other'))).toBeUndefined();
    expect(workspace.locate('file:x')).toBeUndefined();
  });

  test('knows a root by its declared and its real path', async () => {
    using tree = tempTree(['real/a', 'link => real']);
    await using workspace = await openWorkspace(rootsAt(tree.at('link')));
    expect(workspace.locate(tree.at('link/a'))).toMatchObject({ relative: 'a' });
    expect(workspace.locate(tree.at('real/a'))).toMatchObject({ relative: 'a' });
    expect(workspace.locate('a')).toMatchObject({ relative: 'a' });
  });

  test('keeps a slash at the end, which asks for a directory', async () => {
    using tree = tempTree(['app/']);
    await using workspace = await openWorkspace(rootsAt(tree.at('app')));
    expect(workspace.locate(`${tree.at('app')}/x/`)?.relative).toBe('x/');
    expect(workspace.locate(`${tree.at('app')}/`)?.relative).toBe('.');
  });

  test('distinguishes files from directories, and reports roots that could not be opened', async () => {
    using tree = tempTree(['one.txt', 'app/', 'p|']);
    const roots = rootsAt(tree.at('one.txt'), tree.at('app'), tree.at('gone'), tree.at('p'));
    await using workspace = await openWorkspace(roots);
    expect(workspace.roots.map(({ root }) => [root.name, root.kind])).toEqual([
      ['one.txt', 'file'],
      ['app', 'directory'],
    ]);
    expect(workspace.issues.map(({ code }) => code)).toEqual(['missing', 'unusable']);
    expect(workspace.locate(tree.at('one.txt'))).toMatchObject({ relative: '.' });
  });

  test('gives two roots of one name different names', async () => {
    using tree = tempTree(['a/app/', 'b/app/', 'c/app/']);
    await using workspace = await openWorkspace(
      rootsAt(tree.at('a/app'), tree.at('b/app'), tree.at('c/app')),
    );
    expect(workspace.roots.map(({ boundary }) => boundary.name)).toEqual(['app', 'app-2', 'app-3']);
  });

  test('finds the owner of a place, however it was reached', async () => {
    using tree = tempTree(['app/docs/a.md', 'app/src/']);
    await using workspace = await openWorkspace(rootsAt(tree.at('app'), tree.at('app/docs')));
    const location = workspace.locate(`${tree.at('app')}/src/../docs/a.md`);
    expect(location).toMatchObject({ root: { name: 'app' }, relative: 'src/../docs/a.md' });
    if (location === undefined) return;
    expect(workspace.ownerOf(location, 'docs/a.md')).toEqual({ name: 'docs', relative: 'a.md' });
    expect(workspace.ownerOf(location, 'docs')).toEqual({ name: 'docs', relative: '.' });
    expect(workspace.ownerOf(location, 'src/x')).toEqual({ name: 'app', relative: 'src/x' });
  });

  const nested = [
    'work/pkg/a.txt',
    'work/notes.txt',
    'work/out => ../outside',
    'outside/',
    'home/',
    'all => /',
  ];

  test.each([
    ['a link out of another root', 'work/out', 'leaves-root'],
    ['the top of the file system, by another name', 'all', 'whole-file-system'],
    ['a place that is refused where it really is', 'link', 'no-project'],
    ['nothing', 'work/nothing', 'missing'],
  ])('leaves out %s', async (_what, path, code) => {
    using tree = tempTree([...nested, 'link => home']);
    const refuses = ({ uri }: Root, real: string): RootIssue | undefined =>
      real === tree.at('home') ? createRootIssue('no-project', uri) : undefined;
    await using workspace = await openWorkspace(rootsAt(tree.at('work'), tree.at(path)), { refuses });
    expect(workspace.roots.map(({ root }) => root.path)).toEqual([tree.at('work')]);
    expect(workspace.issues).toMatchObject([{ code, entry: toFileUri(tree.at(path)), effect: 'dropped' }]);
  });

  test('reaches no root of a client through a link out of the ceiling', async () => {
    using tree = tempTree(nested);
    const options = { ceiling: rootsAt(tree.at('work')) };
    await using workspace = await openWorkspace(rootsAt(tree.at('work/out'), tree.at('work/pkg')), options);
    expect(workspace.roots).toMatchObject([{ ceiling: { name: 'work', relative: 'pkg' } }]);
    expect(workspace.issues).toMatchObject([{ code: 'leaves-root' }]);
  });

  test('remembers a root that is no longer listed, and its content', async () => {
    using tree = tempTree(nested);
    const anchors = createAnchors();
    await (await openWorkspace(rootsAt(tree.at('work')), { anchors })).close();
    await using workspace = await openWorkspace(rootsAt(tree.at('work/out')), { anchors });
    expect(workspace.issues).toMatchObject([{ code: 'leaves-root' }]);
    // Without that memory the path is taken as it is.
    await using fresh = await openWorkspace(rootsAt(tree.at('work/out')));
    expect(fresh.roots).toHaveLength(1);
  });

  test('protects the names of roots within others, and no other names', async () => {
    using tree = tempTree(nested);
    const roots = rootsAt(tree.at('work'), tree.at('work/pkg'), tree.at('work/notes.txt'));
    await using workspace = await openWorkspace(roots);
    const [outer] = workspace.roots;
    for (const name of ['pkg', 'notes.txt'])
      await expect(outer?.boundary.rename(name, 'new')).rejects.toMatchObject({ code: 'HOLDS_ROOT' });
    await using alone = await openWorkspace(rootsAt(tree.at('work')));
    await alone.roots[0]?.boundary.rename('pkg', 'new');
  });

  test('is empty without roots', async () => {
    await using workspace = await openWorkspace([]);
    expect(workspace.locate('/')).toBeUndefined();
    expect(workspace.locate('x')).toBeUndefined();
  });

  test('refuses operations after its close', async () => {
    using tree = tempTree(['app/a']);
    const workspace = await openWorkspace(rootsAt(tree.at('app')), { revision: 7 });
    expect(workspace.revision).toBe(7);
    const location = workspace.locate('a');
    await workspace.close();
    await expect(location?.boundary.readText('a')).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
