import { describe, expect, test } from 'vitest';
import { parseWithin } from './parsed.ts';

const long = 'x'.repeat(5_000);

describe('parseWithin', () => {
  test.each(['short', long])('gives what the parser makes of a text', (text) => {
    expect(parseWithin(text, ({ length }) => ({ value: length }))).toEqual({ value: text.length });
    expect(parseWithin(text, () => ({ fault: 'none' }))).toEqual({ fault: 'none' });
  });

  test.each(['short', long])('lets through what the parser throws', (text) => {
    const fail = (): never => {
      throw new RangeError('too deep');
    };
    expect(() => parseWithin(text, fail)).toThrow(new RangeError('too deep'));
  });

  test('ends a parser that does not end', () => {
    const forever = (): never => {
      for (;;);
    };
    expect(parseWithin(long, forever, 20)).toEqual({ fault: 'it takes too long to parse' });
  });
});
