import { expect, test } from 'vitest';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Boundary } from '../boundary.ts';
import { openBoundary } from '../open-boundary.ts';
import { type DiskChange, type Witness, witnessBelow } from './context.ts';

const entries = ['ROOT/a', 'ROOT/l => a', 'ROOT/t/u/v', 'ROOT/free => new/place'];

interface Watched extends AsyncDisposable {
  readonly boundary: Boundary;
  readonly told: string[];
}

async function watch(tree: TempTree, refuses: (relative: string) => boolean = () => false): Promise<Watched> {
  const told: string[] = [];
  const open = await openBoundary(tree.at('ROOT'));
  const witness: Witness = {
    beforeEffect: ({ operation, path }, relative) => {
      told.push(`${operation} ${path}: ${relative}`);
      return refuses(relative) ? new Error(`not ${relative}`) : undefined;
    },
    afterEffect: ({ kind, relative, count = 1 }) => void told.push(`${kind} ${relative} ${count}`),
  };
  const boundary = open.guarded(() => undefined, witness);
  return { boundary, told, [Symbol.asyncDispose]: () => open.close() };
}

const acts: readonly (readonly [
  name: string,
  act: (boundary: Boundary) => Promise<unknown>,
  told: readonly string[],
])[] = [
  ['write', (boundary) => boundary.write('l', 'x'), ['written a 1']],
  ['exclusive write', (boundary) => boundary.write('n', 'x', { exclusive: true }), ['written n 1']],
  [
    'write with parents',
    (boundary) => boundary.write('p/q/n', 'x', { parents: true }),
    ['made p 1', 'made p/q 1', 'written p/q/n 1'],
  ],
  ['update', (boundary) => boundary.update('l', () => 'x'), ['written a 1']],
  ['update that changes nothing', (boundary) => boundary.update('l', () => undefined), []],
  ['append', (boundary) => boundary.append('l', 'x'), ['written a 1']],
  ['append to a new file', (boundary) => boundary.append('n', 'x'), ['written n 1', 'written n 1']],
  [
    'log',
    async (boundary) => {
      const log = boundary.openLog('l');
      log.append('x\n');
      log.close();
    },
    ['written a 1'],
  ],
  ['makeDirectory', (boundary) => boundary.makeDirectory('d'), ['made d 1']],
  [
    'makeDirectory through a link',
    (boundary) => boundary.makeDirectory('free', { parents: true }),
    ['made new 1', 'made new/place 1'],
  ],
  ['makeDirectory that is there', (boundary) => boundary.makeDirectory('t', { parents: true }), []],
  ['rename of a link', (boundary) => boundary.rename('l', 'm'), ['moved-here m 1', 'moved-away l 1']],
  ['rename of a file', (boundary) => boundary.rename('a', 'b'), ['moved-here b 1', 'moved-away a 1']],
  [
    'rename over a file',
    (boundary) => boundary.rename('t/u/v', 'a', { replace: true }),
    ['moved-here a 1', 'moved-away t/u/v 1'],
  ],
  ['copy', (boundary) => boundary.copy('a', 'b'), ['written b 1']],
  ['remove', (boundary) => boundary.remove('l'), ['removed l 1']],
  [
    'remove of a tree',
    (boundary) => boundary.remove('t', { tree: true }),
    ['removed t 1', 'removed t 1', 'removed t 1'],
  ],
  ['changeMode', (boundary) => boundary.changeMode('l', 0o600), ['mode a 1']],
  ['reading', (boundary) => boundary.readText('l'), []],
];

test.each(acts)('%s is told when it has happened', async (_name, act, expected) => {
  using tree = tempTree(entries);
  await using watched = await watch(tree);
  await act(watched.boundary);
  expect(watched.told.filter((line) => !line.includes(':'))).toEqual(expected);
});

test.each(acts)('%s does not happen where the witness objects', async (name, act) => {
  using tree = tempTree(entries);
  await using watched = await watch(tree, () => true);
  const before = listTree(tree.at('ROOT'));
  await expect(act(watched.boundary)).rejects.toThrow(/^not /);
  const made = listTree(tree.at('ROOT')).filter((entry) => !before.includes(entry));
  // Directories on the way are asked about by the guard; they are told all the same.
  expect(made.every((entry) => watched.told.includes(`made ${entry.slice(0, -1)} 1`))).toBe(true);
  expect(name === 'reading' || watched.told.length > 0).toBe(true);
});

test('is asked about where a path led, not about the links on the way', async () => {
  using tree = tempTree(entries);
  await using watched = await watch(tree);
  await watched.boundary.readText('l');
  await watched.boundary.list('.');
  await watched.boundary.lstat('l');
  expect(watched.told).toEqual(['read l: a', 'list .: ', 'list l: l']);
});

test('a boundary further down tells places from the top', () => {
  const changes: DiskChange[] = [];
  const witness: Witness = {
    beforeEffect: (_request, relative) => new Error(relative),
    afterEffect: (change) => void changes.push(change),
  };
  const below = witnessBelow(witness, 'a/b');
  const request = { operation: 'read', verb: 'read', path: 'x' } as const;
  below.afterEffect({ kind: 'made', relative: 'c' });
  below.afterEffect({ kind: 'started', relative: '' });
  expect(changes.map(({ relative }) => relative)).toEqual(['a/b/c', 'a/b']);
  expect(below.beforeEffect(request, 'c')?.message).toBe('a/b/c');
  expect(witnessBelow(witness, '').beforeEffect(request, 'c')?.message).toBe('c');
});
