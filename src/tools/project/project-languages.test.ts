import { expect, test } from 'vitest';
import { languageOf, orderLanguages } from './project-languages.ts';

test('detects the language by extension', () => {
  expect(languageOf('a.TS')).toBe('TypeScript');
  expect(languageOf('x.test.py')).toBe('Python');
  expect(languageOf('.ts')).toBeUndefined();
  expect(languageOf('Makefile')).toBeUndefined();
  expect(languageOf('a.constructor')).toBeUndefined();
});

test('sorts by number of files, then by name', () => {
  expect(
    orderLanguages(
      new Map([
        ['Zig', 1],
        ['Ada', 1],
        ['Go', 3],
      ]),
    ),
  ).toEqual([
    { language: 'Go', files: 3 },
    { language: 'Ada', files: 1 },
    { language: 'Zig', files: 1 },
  ]);
});
