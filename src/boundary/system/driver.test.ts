import { describe, expect, test } from 'vitest';
import { bestLevel, type BoundaryLevel, requireStrength } from './driver.ts';

test.each([
  ['linux', 'kernel'],
  ['darwin', 'open-only'],
  ['win32', 'verified'],
  ['freebsd', 'verified'],
] as const)('the best on %s is %s', (system, level) => {
  expect(bestLevel(system)).toBe(level);
});

describe('requireStrength', () => {
  const weakestFirst: readonly BoundaryLevel[] = ['verified', 'open-only', 'kernel'];
  const pairs = weakestFirst.flatMap((level, strength) =>
    weakestFirst.map((required, needed) => ({ level, required, enough: strength >= needed })),
  );

  test.each(pairs.filter(({ enough }) => enough))('accepts $level for $required', ({ level, required }) => {
    expect(() => requireStrength(level, required)).not.toThrow();
  });

  test.each(pairs.filter(({ enough }) => !enough))('refuses $level for $required', ({ level, required }) => {
    expect(() => requireStrength(level, required)).toThrow(
      expect.objectContaining({ code: 'WEAK_LEVEL', data: { level, required } }),
    );
  });
});
