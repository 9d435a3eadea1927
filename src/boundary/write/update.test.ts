import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

const grow = (bytes: Buffer): string => `${bytes.toString()}+`;

test('changes what is there, through a link too, and keeps the mode', async () => {
  using tree = tempTree(['app/a.txt = A', 'app/link => a.txt']);
  await using boundary = await openBoundary(tree.at('app'));
  await boundary.changeMode('a.txt', 0o640);
  await boundary.update('a.txt', grow);
  await boundary.update('link', grow);
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('A++');
  expect(statSync(tree.at('app/a.txt')).mode & 0o777).toBe(0o640);
  expect(readdirSync(tree.at('app'))).toEqual(['a.txt', 'link']);
});

test('leaves the file if nothing changes', async () => {
  using tree = tempTree(['app/a.txt = A']);
  await using boundary = await openBoundary(tree.at('app'));
  const { ino } = statSync(tree.at('app/a.txt'));
  await boundary.update('a.txt', () => undefined);
  expect(statSync(tree.at('app/a.txt')).ino).toBe(ino);
});

test('concurrent changes all survive, through two boundaries', async () => {
  using tree = tempTree(['app/a.txt']);
  await using one = await openBoundary(tree.at('app'));
  await using other = await openBoundary(tree.at('app'));
  writeFileSync(tree.at('app/a.txt'), '');
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? one : other).update('a.txt', grow)),
  );
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('+'.repeat(20));
});

test('separate reads and writes do lose some of them', async () => {
  using tree = tempTree(['app/a.txt']);
  await using boundary = await openBoundary(tree.at('app'));
  writeFileSync(tree.at('app/a.txt'), '');
  const careless = async (): Promise<void> =>
    boundary.write('a.txt', grow(await boundary.readBytes('a.txt')));
  await Promise.all(Array.from({ length: 20 }, careless));
  expect(readFileSync(tree.at('app/a.txt'), 'utf8').length).toBeLessThan(20);
});

test.each([
  ['replaced', (path: string) => (writeFileSync(`${path}.new`, 'B'), renameSync(`${path}.new`, path))],
  ['written to', (path: string) => writeFileSync(path, 'BB')],
])('reads again if the file was %s by another process', async (_how, disturb) => {
  using tree = tempTree(['app/a.txt = A']);
  await using boundary = await openBoundary(tree.at('app'));
  const seen: string[] = [];
  await boundary.update('a.txt', (bytes) => {
    seen.push(bytes.toString());
    if (seen.length === 1) disturb(tree.at('app/a.txt'));
    return grow(bytes);
  });
  expect(seen).toHaveLength(2);
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe(`${seen[1]}+`);
  expect(readdirSync(tree.at('app'))).toEqual(['a.txt']);
});

test('reports a missing file, and another writer that is always faster', async () => {
  using tree = tempTree(['app/a.txt = A', 'app/b.txt = B']);
  await using boundary = await openBoundary(tree.at('app'));
  const gone = boundary.update('a.txt', (bytes) => {
    renameSync(tree.at('app/a.txt'), tree.at('app/c.txt'));
    return grow(bytes);
  });
  await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND', data: { path: 'a.txt' } });
  let turn = 0;
  const late = boundary.update('b.txt', (bytes) => {
    writeFileSync(tree.at('app/b.txt'), 'x'.repeat((turn += 1)));
    return grow(bytes);
  });
  await expect(late).rejects.toMatchObject({ code: 'BUSY' });
  expect(turn).toBe(1_000);
});

test('stops when it is cancelled, and refuses what is too large or outside', async () => {
  using tree = tempTree(['app/a.txt = AAAA', 'app/leaving => ../secret', 'secret = S']);
  await using boundary = await openBoundary(tree.at('app'));
  const signal = AbortSignal.abort();
  await expect(boundary.update('a.txt', grow, { signal })).rejects.toThrow('aborted');
  await expect(boundary.update('a.txt', grow, { limit: 3 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(boundary.update('leaving', grow)).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  expect(readFileSync(tree.at('app/leaving'), 'utf8')).toBe('S');
});
