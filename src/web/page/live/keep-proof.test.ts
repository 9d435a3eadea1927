import { expect, test } from 'vitest';
import { keepProof } from './keep-proof.ts';

test('a window has its secret again after a reload, and another window has none', () => {
  const window = new Map<string, string>();
  const storage = {
    getItem: (key: string) => window.get(key) ?? null,
    setItem: (key: string, value: string) => void window.set(key, value),
  };
  const kept = keepProof(storage);
  expect(kept.read()).toBe('');
  kept.keep('secret');
  expect([kept.read(), keepProof(storage).read()]).toEqual(['secret', 'secret']);
  expect(keepProof({ ...storage, getItem: () => null }).read()).toBe('');
});

test('a browser that keeps nothing has it until the reload', () => {
  const kept = keepProof(undefined);
  kept.keep('secret');
  expect(kept.read()).toBe('secret');
});
