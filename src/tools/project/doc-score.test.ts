import { expect, test } from 'vitest';
import { outlineOf } from './doc-outline.ts';
import { type DocText, scoreDoc, standingOf, wordsOf } from './doc-score.ts';

function doc(path: string, text: string, kind: DocText['kind'] = 'other'): DocText {
  return { path, kind, text, outline: outlineOf(text, 'markdown') };
}

test('words are letters and digits, each once', () => {
  expect(wordsOf('  How to: BUILD, build über C3_x? ')).toEqual(['how', 'to', 'build', 'über', 'c3_x']);
  expect(wordsOf('?!')).toEqual([]);
});

test('explains its points', () => {
  const text = '# Build\n\n## How to build\nbuild it\n';
  expect(scoreDoc(doc('docs/build.md', text, 'guide'), 'build')).toEqual({
    score: 8 + 2 * 4 + 5 + 3 + 2,
    why: 'title 1×8 + heading 2×4 + path 1×5 + text 3×1 + guide 2',
    snippets: [
      { line: 1, text: '# Build' },
      { line: 3, text: '## How to build' },
      { line: 4, text: 'build it' },
    ],
  });
});

test('a phrase counts more than its words, and no match counts nothing', () => {
  const together = scoreDoc(doc('a.md', 'run the tests'), 'the tests');
  const apart = scoreDoc(doc('a.md', 'tests of the run'), 'the tests');
  expect((together?.score ?? 0) - (apart?.score ?? 0)).toBe(10);
  expect(scoreDoc(doc('a.md', 'nothing'), 'the tests')).toBeUndefined();
  // A repeated word cannot outweigh the rest.
  expect(scoreDoc(doc('a.md', 'x '.repeat(10_000)), 'x')?.score).toBe(10);
});

test('a snippet of a long line is the part around the word', () => {
  const [snippet] =
    scoreDoc(doc('a.md', `${'a'.repeat(5_000)} needle ${'b'.repeat(5_000)}`), 'needle')?.snippets ?? [];
  expect(snippet?.text).toMatch(/^…a+ needle b+…$/);
  expect(snippet?.text.length).toBeLessThan(250);
});

test('without a query the README at the top comes first', () => {
  const rank = [doc('README.md', '', 'readme'), doc('docs/a.md', '', 'guide'), doc('src/x/y.md', '')].map(
    (each) => standingOf(each).score,
  );
  expect(rank).toEqual(rank.toSorted((one, other) => other - one));
  expect(new Set(rank).size).toBe(3);
});
