import { expect, test } from 'vitest';
import { z } from 'zod';
import { allTools } from '../all-tools.ts';
import { globList, pathText } from './inputs.ts';

test('paths and globs of any length that is in use are taken, and no longer ones', () => {
  expect(pathText.safeParse('a/'.repeat(10_000)).success).toBe(true);
  expect(pathText.safeParse('a'.repeat(65_537)).success).toBe(false);
  expect(globList.safeParse(Array(1_000).fill('*.ts')).success).toBe(true);
  expect(globList.safeParse(Array(1_001).fill('*.ts')).success).toBe(false);
});

test.each(allTools)('every text and every list that $name takes has a maximum', ({ input }) => {
  expect(endless(z.toJSONSchema(input, { target: 'draft-7', io: 'input' }))).toEqual([]);
});

/** Where a schema takes a text or a list of any length. */
function endless(schema: unknown, place = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: choices, maxLength, maxItems } = schema as Readonly<Record<string, unknown>>;
  const isEndless =
    (type === 'string' && choices === undefined && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined);
  const within = Object.entries(schema).flatMap(([key, value]) => endless(value, `${place}/${key}`));
  return isEndless ? [place, ...within] : within;
}
