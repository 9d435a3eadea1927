import { once } from 'node:events';
import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { failedInside } from './failed-inside.ts';

test('a failure that nobody foresaw is told by its number, and the rest is a warning with that number', async () => {
  const warned = once(process, 'warning');
  const error = failedInside(new Error("ENOENT: no such file, open '/home/op/.config/x'"));
  expect(error).toMatchObject({ code: 'INTERNAL' });
  expect(JSON.stringify(error)).not.toContain('/home/op');
  const [warning] = (await warned) as [Error];
  expect(warning.message).toContain('/home/op/.config/x');
  expect(error.message).toContain(/\(([\da-f-]{36})\)/.exec(warning.message)?.[1] ?? 'no number');
});

test('a refusal stays what it is', () => {
  const refusal = new RootwardError('CLOSED', { root: 'app' });
  expect(failedInside(refusal)).toBe(refusal);
});
