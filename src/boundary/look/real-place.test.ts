import { chmodSync, existsSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findOwnPlace, findRealPlace, settledVersion } from './real-place.ts';

test.each([
  ['a file', 'real/r', 'real/r'],
  ['a link to a file', 'link', 'real/r'],
  ['a file behind a linked directory', 'there/r', 'real/r'],
  ['nothing', 'no/r', 'no/r'],
  ['nothing behind a linked directory', 'there/none/r', 'real/none/r'],
  ['a link to nothing', 'dangling', 'nowhere/r'],
  ['a link to a link to nothing', 'twice', 'nowhere/r'],
  ['something behind a linked directory that is not there', 'later/r', 'gone/r'],
  ['something behind a file', 'real/r/x', 'real/r/x'],
])('%s has a place', async (_what, path, expected) => {
  using tree = tempTree([
    'real/r',
    'link => real/r',
    'there => real',
    'dangling => nowhere/r',
    'twice => dangling',
    'later => gone',
  ]);
  expect(await findRealPlace(tree.at(path))).toBe(tree.at(expected));
  expect(existsSync(tree.at('nowhere'))).toBe(false);
});

test('links in a cycle are refused', async () => {
  using tree = tempTree(['a => b', 'b => a']);
  await expect(findRealPlace(tree.at('a', 'x'))).rejects.toMatchObject({ code: 'TOO_MANY_LINKS' });
});

test('names every link on the way at its real path, and identifies the file', async () => {
  using tree = tempTree(['one/two/', 'a => one', 'one/b => two', 'one/two/file', 'one/two/c => file']);
  const { real, links, file } = await findOwnPlace(tree.at('a/b/c'));
  expect({ real, links }).toEqual({
    real: tree.at('one/two/file'),
    links: [tree.at('a'), tree.at('one/b'), tree.at('one/two/c')],
  });
  expect(file).toMatchObject({ linked: false });
  expect(await findOwnPlace(tree.at('one/new/file'))).toEqual({ real: tree.at('one/new/file'), links: [] });
});

const later = (): number => Date.now() + 60_000;

describe('the version of a file', () => {
  test('stays the same while the file is not touched', async () => {
    using tree = tempTree(['f = text']);
    const version = await settledVersion(tree.at('f'), later);
    expect(version).toMatch(/\d/);
    expect(await settledVersion(tree.at('f'), later)).toBe(version);
  });

  test.each([
    ['writes over it', (path: string) => writeFileSync(path, 'TEXT')],
    [
      'puts another in its place',
      (path: string) => {
        writeFileSync(`${path}~`, 'TEXT');
        renameSync(`${path}~`, path);
      },
    ],
    [
      'sets its time back afterwards',
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, 'TEXT');
        utimesSync(path, atime, mtime);
      },
    ],
    ['changes its mode', (path: string) => chmodSync(path, 0o600)],
  ])('changes after a process %s', async (_what, change) => {
    using tree = tempTree(['f = text']);
    const version = await settledVersion(tree.at('f'), later);
    const { ctimeNs } = statSync(tree.at('f'), { bigint: true });
    // Its clock has to have ticked, which is why a fresh file has no version.
    do change(tree.at('f'));
    while (statSync(tree.at('f'), { bigint: true }).ctimeNs === ctimeNs);
    expect(await settledVersion(tree.at('f'), later)).not.toBe(version);
  });

  test('is not known while it is fresh, in the future, or gone', async () => {
    using tree = tempTree(['f = text']);
    expect(await settledVersion(tree.at('f'))).toBeUndefined();
    expect(await settledVersion(tree.at('f'), () => 0)).toBeUndefined();
    expect(await settledVersion(tree.at('none'), later)).toBeUndefined();
  });
});
