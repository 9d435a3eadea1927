import { expect, test } from 'vitest';
import { docKindOf } from './doc-kind.ts';

test.each([
  ['README', 'readme', 'text'],
  ['packages/a/readme.rst', 'readme', 'restructuredtext'],
  ['README.de.md', 'readme', 'markdown'],
  ['CHANGELOG.md', 'changelog', 'markdown'],
  ['HISTORY', 'changelog', 'text'],
  ['CONTRIBUTING.adoc', 'contributing', 'asciidoc'],
  ['docs/a/b.md', 'guide', 'markdown'],
  ['docs/notes.txt', 'guide', 'text'],
  ['src/notes.MD', 'other', 'markdown'],
])('%s is a %s in %s', (path, kind, format) => {
  expect(docKindOf(path)).toEqual({ kind, format });
});

test.each(['src/a.ts', 'notes.txt', 'docs/logo.png', 'historyOfTime.ts', 'LICENSE', '.md', 'readme.js'])(
  '%s is none',
  (path) => {
    expect(docKindOf(path)).toBeUndefined();
  },
);
