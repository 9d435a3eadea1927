import { expect, test } from 'vitest';
import { exitCode } from './exit-code.ts';

test('exit codes are a promise', () => {
  expect(exitCode).toEqual({ ok: 0, refused: 1, usage: 2, failed: 3 });
});
