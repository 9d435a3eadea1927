import { expect, test } from 'vitest';
import { memoryDisk } from '../../test/memory-disk.ts';
import { parseRoots } from '../path/root.ts';
import { createChainContext } from './chain-context.ts';

const machine = { around: { platform: 'posix' }, disk: memoryDisk([]) } as const;

test('rows that a user adds are looked at first', () => {
  const mine = {
    id: 'mine',
    title: 'Mine',
    asOf: 'now',
    match: [['exact', 'claude-code']],
    remedy: 'x',
  } as const;
  const context = createChainContext({ client: { name: 'claude-code' } }, { profiles: [mine] }, machine);
  expect(context.profile?.id).toBe('mine');
});

test('a search goes 20 levels up at most', () => {
  expect(createChainContext({}, { levels: 100 }, machine).levels).toBe(20);
  expect(createChainContext({}, { levels: 3 }, machine).levels).toBe(3);
});

test('the sources of the preset can be replaced', () => {
  const { chain } = createChainContext({}, { sources: ['pwd', 'pinned'] }, machine);
  expect(chain.map(({ name }) => name)).toEqual(['pwd', 'pinned']);
});

test('the operator bounds the caller, and the client where there is no operator', () => {
  const rootsOf = (uri: string) => parseRoots([{ uri }], { platform: 'posix' }).roots;
  const roots = { state: 'listed', roots: rootsOf('file:///client') } as const;
  expect(createChainContext({ roots }, {}, machine).judge.bound).toEqual(['/client']);
  const ceiling = rootsOf('file:///operator');
  expect(createChainContext({ roots, ceiling }, {}, machine).judge.bound).toEqual(['/operator']);
  expect(createChainContext({}, {}, machine).judge.bound).toEqual([]);
});
