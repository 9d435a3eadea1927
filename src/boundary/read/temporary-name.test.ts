import { expect, test } from 'vitest';
import { temporaryName, writerOf } from './temporary-name.ts';

test('a temporary name is unique, and identifies its writer', () => {
  const names = Array.from({ length: 100 }, temporaryName);
  expect(new Set(names).size).toBe(100);
  for (const name of names) {
    expect(name).toMatch(/^\.rootward-[0-9a-f]{24}\.tmp$/);
    expect(writerOf(name)).toEqual({ pid: process.pid });
  }
});

test.each(['.rootward-x.tmp', 'a.tmp', '.rootward-0123456789abcdef01234567.tmp.bak', ''])(
  '%j is not a temporary name',
  (name) => {
    expect(writerOf(name)).toBeUndefined();
  },
);

test('a writer on another system has no process id here', () => {
  const name = temporaryName();
  const token = name.slice(10, 16) === '000000' ? '000001' : '000000';
  expect(writerOf(`.rootward-${token}${name.slice(16)}`)).toEqual({ pid: undefined });
});
