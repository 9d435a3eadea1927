import { expect, test } from 'vitest';
import { parseRoot } from '../../path/root.ts';
import { compareRoots, type SeenRoot } from './find-root-issues-among.ts';

function seen(index: number, path: string, identity = path): SeenRoot {
  const { root } = parseRoot({ uri: path, name: `r${index}` }, { platform: 'posix' });
  if (root === undefined) throw new Error(path);
  return { index, root, real: path, sight: { kind: 'directory', identity, real: path, readable: true } };
}

function compare(...roots: readonly SeenRoot[]): readonly string[] {
  return compareRoots(roots, 'posix').map(({ index, code, message }) =>
    [index, code, message.split(': ').at(-1)].join(' '),
  );
}

test('the same place twice is told once, by path and by identity', () => {
  expect(compare(seen(0, '/a'), seen(1, '/a'), seen(2, '/b', '/a'))).toEqual([
    '1 duplicate it is the same place as "r0"',
    '2 duplicate it is the same place as "r0"',
  ]);
});

test('a root in another is told with the nearest around it', () => {
  expect(compare(seen(0, '/a/b/c'), seen(1, '/a'), seen(2, '/a/b'), seen(3, '/ab'))).toEqual([
    '0 nested it lies in "r2"',
    '2 nested it lies in "r1"',
  ]);
});

test('ten thousand roots are compared quickly', () => {
  const roots = Array.from({ length: 10_000 }, (_, count) => seen(count, `/top/${count % 100}/${count}`));
  expect(compareRoots([seen(10_000, '/top'), ...roots], 'posix')).toHaveLength(10_000);
});
