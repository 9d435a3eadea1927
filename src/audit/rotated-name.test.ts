import { describe, expect, test } from 'vitest';
import { rotatedName, rotatedNumber } from './rotated-name.ts';

describe('the name of a full file', () => {
  test.each([
    ['audit.jsonl', 1, 'audit.1.jsonl'],
    ['audit.jsonl', 120, 'audit.120.jsonl'],
    ['audit', 2, 'audit.2'],
    ['my.audit.log', 3, 'my.audit.3.log'],
    ['.audit', 4, '.audit.4'],
  ])('of %s with number %d is %s, and back', (name, number, rotated) => {
    expect(rotatedName(name, number)).toBe(rotated);
    expect(rotatedNumber(name, rotated)).toBe(number);
  });

  test.each([
    'audit.jsonl',
    'audit.0.jsonl',
    'audit.01.jsonl',
    'audit.-1.jsonl',
    'audit.1e3.jsonl',
    'audit..jsonl',
    'audit.1.jsonl.gz',
    'audit.1.2.jsonl',
    'other.1.jsonl',
    'audit.9999999999999999.jsonl',
    '.rootward-0123456789abcdef01234567.tmp',
  ])('is not %s', (candidate) => {
    expect(rotatedNumber('audit.jsonl', candidate)).toBeUndefined();
  });
});
