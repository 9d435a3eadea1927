import { expect, test } from 'vitest';
import { parseFileUri } from '../../path/file-uri.ts';
import { isOneLine, oneLinePath } from './one-line-path.ts';

test('a path is shown as it is', () => {
  for (const path of [
    '/app/a b.txt',
    '/app/Café',
    '/app/👩‍💻',
    '/app/❤️',
    '/app/می‌خواهم',
    '/app/क्‍ष',
    '/app/a\\b',
  ])
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

test('so is one that turns the line around, hides something, or is drawn as nothing', () => {
  const marks = [
    '\u202E',
    '\u2066',
    '\u200B',
    '\u200D',
    '\uFEFF',
    '\u00AD',
    '\u{E0041}',
    '\uFE0F',
    '\u00A0',
    '\u3164',
  ];
  for (const mark of marks) {
    const path = `/app/gpj${mark}.exe`;
    const shown = oneLinePath(path);
    expect(shown).toMatch(/^file:[ -~]+$/);
    expect(parseFileUri(shown, { platform: 'posix' })).toBe(path);
  }
});
