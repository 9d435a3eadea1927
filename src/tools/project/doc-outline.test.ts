import { expect, test } from 'vitest';
import { type DocFormat, docKindOf, outlineOf } from './doc-outline.ts';

/** Headings as `level line text`. */
function outline(format: DocFormat, ...lines: readonly string[]): readonly string[] {
  const { headings } = outlineOf(lines.join('\n'), format);
  return headings.map(({ level, line, text }) => `${level} ${line} ${text}`);
}

test('reads Markdown, with and without underlines', () => {
  expect(
    outline(
      'markdown',
      '# One #',
      '',
      'Two',
      '---',
      '### [Three](x.md) `code`',
      '#no',
      '####### no',
      'para',
      'x',
      '---',
    ),
  ).toEqual(['1 1 One', '2 3 Two', '3 5 Three code']);
});

test('code is not a heading', () => {
  expect(outline('markdown', '```sh', '# no', '~~~', '```', '# yes', '````', '```', '# no', '````')).toEqual([
    '1 5 yes',
  ]);
});

test('a table or a list is not a heading', () => {
  expect(outline('markdown', '| a |', '|---|', '', '- a', '---')).toEqual([]);
});

test('the title is the first heading', () => {
  const text = '---\ntitle: "Of the tool"\nx: 1\n---\n# Other\n';
  expect(outlineOf(text, 'markdown')).toEqual({
    title: 'Of the tool',
    headings: [{ level: 1, text: 'Other', line: 5 }],
  });
  expect(outlineOf('\n## A\n# B', 'markdown').title).toBe('A');
  expect(outlineOf('text', 'markdown').title).toBeUndefined();
});

test('reads reStructuredText, whose levels follow from the order', () => {
  expect(
    outline(
      'restructuredtext',
      '====',
      'Top',
      '====',
      '',
      'One',
      '---',
      'text',
      '',
      'Two',
      '---',
      '',
      'Deep',
      '~~~~',
      'too long',
      '---',
    ),
  ).toEqual(['1 2 Top', '2 5 One', '2 9 Two', '3 12 Deep']);
});

test('reads AsciiDoc, without blocks', () => {
  expect(outline('asciidoc', '= Top', '== One', '----', '== no', '----', '=== Two')).toEqual([
    '1 1 Top',
    '2 2 One',
    '3 6 Two',
  ]);
});

test('reads headings of HTML, and titles of HTML and data', () => {
  const html = [
    '<!doctype html>',
    '<title>The Guide</title>',
    '<h1 class="a">Top</h1><h2>One</h2>',
    '<h3>a <b>b</b></h3>',
  ];
  expect(outline('html', ...html)).toEqual(['1 3 Top', '2 3 One', '3 4 a b']);
  expect(outlineOf(html.join('\n'), 'html').title).toBe('The Guide');
  expect(outlineOf('openapi: 3.1.0\ninfo:\n  title: Shop API\n', 'data')).toEqual({
    title: 'Shop API',
    headings: [],
  });
  expect(outlineOf('{\n  "title": "Order",\n  "type": "object"\n}', 'data').title).toBe('Order');
});

test('is quick with hostile input', () => {
  const hostile = [
    `# ${' '.repeat(200_000)}x`,
    `# ${'['.repeat(100_000)}`,
    `# ${'<'.repeat(100_000)}`,
    '`'.repeat(100_000),
    '<h1>'.repeat(100_000),
  ];
  const started = performance.now();
  for (const format of ['markdown', 'restructuredtext', 'asciidoc', 'html', 'text', 'data'] as const)
    outlineOf(hostile.join('\n'), format);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each([
  ['README', 'readme', 'text'],
  ['packages/a/readme.rst', 'readme', 'restructuredtext'],
  ['README.de.md', 'readme', 'markdown'],
  ['CHANGELOG.md', 'changelog', 'markdown'],
  ['HISTORY', 'changelog', 'text'],
  ['CONTRIBUTING.adoc', 'contributing', 'asciidoc'],
  ['docs/a/b.md', 'guide', 'markdown'],
  ['docs/notes.txt', 'guide', 'text'],
  ['docs/api/index.html', 'guide', 'html'],
  ['docs/openapi.yaml', 'other', 'data'],
  ['api/docs/v1/schema.json', 'other', 'data'],
  ['README.html', 'readme', 'html'],
  ['src/notes.MD', 'other', 'markdown'],
])('%s is a %s in %s', (path, kind, format) => {
  expect(docKindOf(path)).toEqual({ kind, format });
});

test.each([
  'src/a.ts',
  'notes.txt',
  'index.html',
  'src/data.json',
  'ci.yaml',
  'docs/logo.png',
  'historyOfTime.ts',
  'LICENSE',
  '.md',
  'readme.js',
])('%s is not a document', (path) => {
  expect(docKindOf(path)).toBeUndefined();
});
