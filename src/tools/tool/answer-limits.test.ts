import { expect, test } from 'vitest';
import { z } from 'zod';
import { allTools } from '../all-tools.ts';
import { globList, limits, pathText } from './answer-limits.ts';

test('every limit is a positive whole number', () => {
  const odd = Object.entries(limits).filter(([, value]) => !Number.isSafeInteger(value) || value <= 0);
  expect(odd).toEqual([]);
});

test('every complete result fits into one message, and that into the limit of clients', () => {
  const encoded = (bytes: number): number => Math.ceil(bytes / 3) * 4;
  expect(encoded(limits.media) * 2).toBeLessThan(limits.message);
  expect(encoded(limits.mediaOnce)).toBeLessThan(limits.message);
  expect(limits.answer * 2).toBeLessThan(limits.message);
  expect(limits.text * 2).toBeLessThan(limits.message);
  expect(limits.message).toBeLessThan(10 * 1024 * 1024);
});

test('accepts paths and globs of realistic length, and no longer ones', () => {
  expect(pathText.safeParse('a/'.repeat(10_000)).success).toBe(true);
  expect(pathText.safeParse('a'.repeat(65_537)).success).toBe(false);
  expect(globList.safeParse(Array(1_000).fill('*.ts')).success).toBe(true);
  expect(globList.safeParse(Array(1_001).fill('*.ts')).success).toBe(false);
});

test.each(allTools)('every text and list argument of $name has a maximum', ({ input }) => {
  expect(endless(z.toJSONSchema(input, { target: 'draft-7', io: 'input' }))).toEqual([]);
});

/** Finds where a schema accepts a text or list of any length. */
function endless(schema: unknown, place = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: choices, maxLength, maxItems } = schema as Readonly<Record<string, unknown>>;
  const isEndless =
    (type === 'string' && choices === undefined && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined);
  const within = Object.entries(schema).flatMap(([key, value]) => endless(value, `${place}/${key}`));
  return isEndless ? [place, ...within] : within;
}
