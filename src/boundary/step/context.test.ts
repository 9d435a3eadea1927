import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Boundary } from '../boundary.ts';
import { openBoundary } from '../open-boundary.ts';
import { type DiskChange, Lease, type Witness, witnessBelow } from './context.ts';

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

test.each(acts)('%s is reported after it has happened', async (_name, act, expected) => {
  using tree = tempTree(entries);
  await using watched = await watch(tree);
  await act(watched.boundary);
  expect(watched.told.filter((line) => !line.includes(':'))).toEqual(expected);
});

test.each(acts)('%s does not happen if the witness objects', async (name, act) => {
  using tree = tempTree(entries);
  await using watched = await watch(tree, () => true);
  const before = listTree(tree.at('ROOT'));
  await expect(act(watched.boundary)).rejects.toThrow(/^not /);
  const made = listTree(tree.at('ROOT')).filter((entry) => !before.includes(entry));
  // Directories on the way are asked about by the guard; they are told all the same.
  expect(made.every((entry) => watched.told.includes(`made ${entry.slice(0, -1)} 1`))).toBe(true);
  expect(name === 'reading' || watched.told.length > 0).toBe(true);
});

test('is called for the place that a path led to, not for the links on the way', async () => {
  using tree = tempTree(entries);
  await using watched = await watch(tree);
  await watched.boundary.readText('l');
  await watched.boundary.list('.');
  await watched.boundary.lstat('l');
  expect(watched.told).toEqual(['read l: a', 'list .: ', 'list l: l']);
});

test('a boundary further down reports paths from the top', () => {
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

/** A lease, and what happened to it in order. */
function recorded() {
  const events: string[] = [];
  const lease = new Lease('app', () => void events.push('released'));
  lease.closing.addEventListener('abort', () => events.push('closing'));
  return { lease, events };
}

test('returns the result of an operation with the handle', async () => {
  const { lease, events } = recorded();
  expect(await lease.use(() => 1)).toBe(1);
  expect(await lease.use(async () => 'later')).toBe('later');
  await expect(lease.use(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(events).toEqual([]);
});

test('releases an idle handle on close', async () => {
  const { lease, events } = recorded();
  await lease.close();
  expect(events).toEqual(['closing', 'released']);
});

test('releases when the last of the running operations has ended, and not before', async () => {
  const { lease, events } = recorded();
  const leaveOne = lease.enter();
  const leaveOther = lease.enter();
  const closed = lease.close();
  leaveOne();
  await setImmediate();
  events.push('one has left');
  leaveOther();
  await closed;
  expect(events).toEqual(['closing', 'one has left', 'released']);
});

test('waits for an operation that fails', async () => {
  const { lease, events } = recorded();
  const leave = lease.enter();
  const running = lease.use(async () => {
    leave();
    await setImmediate();
    events.push('failed');
    throw new Error('mine');
  });
  await Promise.all([expect(running).rejects.toThrow('mine'), lease.close()]);
  expect(events).toEqual(['closing', 'failed', 'released']);
});

test('refuses new operations from the moment of closing', async () => {
  const { lease } = recorded();
  const leave = lease.enter();
  const closed = lease.close();
  expect(() => lease.enter()).toThrow(expect.objectContaining({ code: 'CLOSED', data: { root: 'app' } }));
  await expect(lease.use(() => 1)).rejects.toMatchObject({ code: 'CLOSED' });
  leave();
  await closed;
  await expect(lease.use(() => 1)).rejects.toMatchObject({ code: 'CLOSED' });
});

test('leaving twice counts once', async () => {
  const { lease, events } = recorded();
  const leaveOne = lease.enter();
  const leaveOther = lease.enter();
  const closed = lease.close();
  leaveOne();
  leaveOne();
  await setImmediate();
  expect(events).toEqual(['closing']);
  leaveOther();
  await closed;
  leaveOther();
  expect(events).toEqual(['closing', 'released']);
});

test('closing twice releases once, and both wait for the same', async () => {
  const { lease, events } = recorded();
  const leave = lease.enter();
  const both = [lease.close(), lease.close()];
  events.push('leaves');
  leave();
  await Promise.all(both);
  await lease.close();
  expect(events).toEqual(['closing', 'leaves', 'released']);
});

test('tells endless operations why they end', async () => {
  const { lease } = recorded();
  expect(lease.closing.aborted).toBe(false);
  await lease.close();
  expect(lease.closing.reason).toMatchObject({ code: 'CLOSED' });
});
