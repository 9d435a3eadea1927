import { expect, test } from 'vitest';
import { parseFileUri } from '../path/file-uri.ts';
import { isOneLine, oneLinePath } from './one-line-path.ts';

test('a path is shown as it is', () => {
  for (const path of ['/app/a b.txt', '/app/Café', '/app/👩‍💻', '/app/a\\b'])
    expect(oneLinePath(path)).toBe(path);
  expect(oneLinePath('/app/a.txt', 'a.txt')).toBe('a.txt');
});

test('one that would break its line is a URI that leads back to it', () => {
  for (const mark of ['\n', '\r', '\u001B', '\u0085', '\u2028', '\u2029']) {
    const path = `/app/a${mark}[FILE] b`;
    expect(isOneLine(path)).toBe(false);
    const shown = oneLinePath(path, `a${mark}[FILE] b`);
    expect(isOneLine(shown)).toBe(true);
    expect(parseFileUri(shown, { platform: 'posix' })).toBe(path);
  }
});
