import { expect, test } from 'vitest';
import { temporaryName } from './temporary-name.ts';

test('is hidden, says whose it is, and is never the same', () => {
  const names = Array.from({ length: 1_000 }, temporaryName);
  for (const name of names) expect(name).toMatch(/^\.rootward-[0-9a-f]{24}\.tmp$/);
  expect(new Set(names).size).toBe(names.length);
});
