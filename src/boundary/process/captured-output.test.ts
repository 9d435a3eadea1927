import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CapturedOutput } from './captured-output.ts';

function capture(limit: number, ...chunks: readonly string[]): CapturedOutput {
  const output = new CapturedOutput(limit);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return output;
}

test('keeps everything that is short enough', () => {
  expect(capture(8, 'abc', 'def', 'gh').read()).toEqual({ text: 'abcdefgh', bytes: 8, omitted: 0 });
  expect(capture(8).read()).toEqual({ text: '', bytes: 0, omitted: 0 });
});

test('keeps the beginning and the end of a longer output, and says how much is missing', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`);
  const { text, bytes, omitted } = capture(200, ...lines).read();
  expect(bytes).toBe(lines.join('').length);
  expect(text).toMatch(/^line 0\n[\s\S]*\n\[\d+ bytes left out\]\nline \d+\n[\s\S]*line 999\n$/);
  expect(text).toContain(`[${omitted} bytes left out]`);
});

test('never cuts a character, whatever the limit', () => {
  for (let limit = 8; limit < 40; limit += 1) {
    const { text } = capture(limit, '€😀é'.repeat(50)).read();
    expect(text).not.toContain('\uFFFD');
  }
});

test('counts every byte, whatever the chunks are', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 4, max: 64 }), (chunks, limit) => {
      const { text, bytes, omitted } = capture(limit, ...chunks).read();
      const whole = chunks.join('');
      expect(bytes).toBe(Buffer.byteLength(whole));
      if (omitted === 0) expect(text).toBe(whole.toWellFormed());
      else expect(Buffer.byteLength(text)).toBeLessThan(limit + 40);
    }),
  );
});
