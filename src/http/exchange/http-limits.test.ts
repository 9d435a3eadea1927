import { expect, test } from 'vitest';
import { defaultLimits } from './http-limits.ts';

test('the default limits are the documented ones', () => {
  expect(defaultLimits).toMatchObject({
    body: 4 * 1024 ** 2,
    unread: 1024 ** 2,
    stallMs: 10_000,
    graceMs: 10_000,
  });
  const { lingerMs: _none, ...rest } = defaultLimits;
  for (const limit of Object.values(rest)) expect(limit).toBeGreaterThan(0);
});

test('every time limit is longer than the interval of the checks', () => {
  const { sweepMs, lingerMs: _none, ...rest } = defaultLimits;
  const times = Object.entries(rest).filter(([name]) => name.endsWith('Ms'));
  expect(Math.min(...times.map(([, limit]) => limit))).toBeGreaterThan(sweepMs);
});
