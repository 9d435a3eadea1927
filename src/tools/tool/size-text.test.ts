import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [123_456, '120.56 KB'],
  [1024 ** 2 - 1, '1024.00 KB'],
  [1024 ** 2, '1.00 MB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [2048 * 1024 ** 4, '2048.00 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
