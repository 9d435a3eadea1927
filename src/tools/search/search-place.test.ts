import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createTextReaders } from '../../boundary/read/text-readers.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { requiredText, type SearchOptions, searchPlace } from './search-place.ts';
import { findRipgrep } from './search-text.ts';
import type { TextQuery } from './text-query.ts';

const plain = sampleQuery({ pattern: 'needle', perFile: 100, lines: 1_000 });

const readers = createTextReaders(2);
afterAll(() => readers.close());

const entries = [
  'app/.gitignore = dist\n*.log\n',
  'app/a.txt = one\nneedle two\nNEEDLE three\n',
  'app/.hidden/b.txt = needle',
  'app/src/名 前.ts = needles\r\nneedle\r\n',
  'app/src/.gitignore = /gen\n!keep.log\n',
  'app/src/gen/c.ts = needle',
  'app/src/keep.log = needle',
  'app/src/dist/d.ts = needle',
  'app/dist/e.js = needle',
  'app/x.log = needle',
  'app/.git/f = needle',
  'app/.env = needle',
  'app/bytes = needle\0needle',
  'app/pipe|',
  'app/leaving => ../out',
  'app/link => a.txt',
  'out/secret = needle',
];

interface Wish {
  readonly path?: string;
  readonly query?: Partial<TextQuery>;
  readonly options?: Partial<SearchOptions>;
}

/** `path:line` of every match, in order. */
async function search(
  tree: TempTree,
  { path = '.', query = {}, options = {} }: Wish,
): Promise<readonly string[]> {
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  return await call.access({ operation: 'read', path }, async (location) => {
    const found: string[] = [];
    const settled = { ripgrep: undefined, readers, signal: call.signal, ...options };
    for await (const hits of searchPlace(location, { ...plain, ...query }, settled)) {
      for (const { line, at } of hits.lines(0, 1_000))
        found.push(`${hits.path}:${line}${at === undefined ? '-' : ''}`);
    }
    return found.toSorted();
  });
}

const engines = { ripgrep: () => findRipgrep(process.env), 'our own': async () => undefined };

describe.each(Object.entries(engines))('with %s', (name, find) => {
  const run = async (wish: Wish): Promise<readonly string[]> => {
    using tree = tempTree(entries);
    const ripgrep = await find();
    expect(ripgrep === undefined).toBe(name === 'our own');
    return await search(tree, { ...wish, options: { ripgrep, ...wish.options } });
  };

  test('searches text files, except ignored, denied, linked or binary ones', async () => {
    expect(await run({})).toEqual([
      '.hidden/b.txt:1',
      'a.txt:2',
      'src/keep.log:1',
      'src/名 前.ts:1',
      'src/名 前.ts:2',
    ]);
  });

  test('without ignore rules finds the rest, except denied files and those outside', async () => {
    const found = await run({ query: { gitignore: false } });
    expect(found).toEqual(expect.arrayContaining(['dist/e.js:1', 'src/gen/c.ts:1', 'x.log:1', '.git/f:1']));
    expect(found.join()).not.toMatch(/env|secret|leaving|link|bytes/);
  });

  test('applies ignore rules of parent directories', async () => {
    expect(await run({ path: 'src' })).toEqual(['keep.log:1', '名 前.ts:1', '名 前.ts:2']);
    expect(await run({ path: 'dist' })).toEqual(['e.js:1']);
  });

  test('filters by globs on names and paths', async () => {
    expect(await run({ query: { globs: ['*.txt'] } })).toEqual(['.hidden/b.txt:1', 'a.txt:2']);
    expect(await run({ query: { globs: ['src/**'], exclude: ['*.log'] } })).toEqual([
      'src/名 前.ts:1',
      'src/名 前.ts:2',
    ]);
    expect(await run({ query: { exclude: ['/src', '/.hidden'] } })).toEqual(['a.txt:2']);
  });

  test('supports case, words, plain text and context lines', async () => {
    const query = { globs: ['a.txt', '*.ts'] };
    expect(await run({ query: { ...query, ignoreCase: true } })).toContain('a.txt:3');
    expect(await run({ query: { ...query, wholeWord: true } })).toEqual(['a.txt:2', 'src/名 前.ts:2']);
    expect(await run({ query: { ...query, pattern: 'n.edle', literal: true } })).toEqual([]);
    expect(await run({ query: { globs: ['a.txt'], context: 1 } })).toEqual([
      'a.txt:1-',
      'a.txt:2',
      'a.txt:3-',
    ]);
    expect(await run({ query: { globs: ['*.ts'], pattern: 'needle$' } })).toEqual(['src/名 前.ts:2']);
  });

  test('finds the end of the last line, and the start after a mark; UTF-16 is text', async () => {
    using tree = tempTree(['app/']);
    writeFileSync(tree.at('app', 'last'), 'one\nneedle');
    writeFileSync(tree.at('app', 'marked'), '\uFEFFneedle\n');
    writeFileSync(tree.at('app', 'wide'), Buffer.from('\uFEFFneedle', 'utf16le'));
    writeFileSync(tree.at('app', 'old'), 'x\rneedle\ry\n');
    const ripgrep = await find();
    const at = (pattern: string): Promise<readonly string[]> =>
      search(tree, { query: { pattern }, options: { ripgrep } });
    expect(await at('needl[e]$')).toEqual(['last:2', 'marked:1', 'old:1', 'wide:1']);
    expect(await at('^n\\w+')).toEqual(['last:2', 'marked:1', 'wide:1']);
    expect(await at('needl[e]\\z')).toEqual(['last:2', 'marked:1', 'wide:1']);
    // A lone carriage return ends no line.
    expect(await at('[a-z]$')).toEqual(['last:1', 'last:2', 'marked:1', 'old:1', 'wide:1']);
  });

  test('says in a sentence what it does not support', async () => {
    await expect(run({ query: { pattern: '(?<=x)needle' } })).rejects.toMatchObject({
      data: { reason: 'look-around, including look-ahead and look-behind, is not supported' },
    });
    await expect(run({ query: { pattern: '(n)\\1' } })).rejects.toMatchObject({
      data: { reason: 'backreferences are not supported' },
    });
  });

  test('searches one file, also through a link', async () => {
    expect(await run({ path: 'a.txt' })).toEqual([':2']);
    expect(await run({ path: 'link' })).toEqual([':2']);
    expect(await run({ path: 'x.log' })).toEqual([':1']);
    await expect(run({ path: 'bytes' })).rejects.toMatchObject({ code: 'NOT_TEXT' });
  });

  test('refuses a file that is outside, special, denied or missing', async () => {
    await expect(run({ path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await expect(run({ path: 'pipe' })).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
    await expect(run({ path: '.env' })).rejects.toMatchObject({ code: 'DENIED' });
    await expect(run({ path: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('refuses an invalid pattern, and is quick with a hostile one', async () => {
    await expect(run({ query: { pattern: '(' } })).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
    await expect(run({ query: { pattern: '(a+)+$' } })).resolves.toEqual([]);
  });

  test('does not start after cancellation', async () => {
    await expect(run({ options: { signal: AbortSignal.abort() } })).rejects.toThrow('aborted');
  });
});

/** A program in place of ripgrep. */
function impostor(tree: TempTree, script: string): string {
  const file = tree.at('impostor');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('ripgrep gets permitted texts, but no path, handle or environment', async () => {
  using tree = tempTree([
    'app/a.txt = needle one\n',
    'app/sub/b.txt = needle two',
    'app/.env = needle SECRET\n',
    'app/sub/.gitignore = c.txt\n',
    'app/sub/c.txt = needle IGNORED\n',
    'app/leaving => ../out',
    'out/secret = needle OUTSIDE\n',
  ]);
  const script = [
    `printf '%s\\n' "$@" > '${tree.at('args')}'`,
    `pwd > '${tree.at('cwd')}'`,
    `env > '${tree.at('env')}'`,
    `readlink /proc/$$/fd/* | grep -v -e pipe: -e socket: -e /impostor > '${tree.at('handles')}'`,
    `cat > '${tree.at('input')}'`,
  ].join('\n');
  const wish = { options: { ripgrep: impostor(tree, script) }, query: { pattern: 'needle .' } };
  expect(await search(tree, wish)).toEqual([]);
  const told = (name: string): string => readFileSync(tree.at(name), 'utf8');
  expect(told('input')).toBe('needle one\nneedle two\n');
  expect(told('args').trim().split('\n').slice(-2)).toEqual(['--', '-']);
  expect(told('args')).not.toContain(tree.path);
  expect(told('cwd').trim()).toBe(tree.path);
  expect(told('env').replaceAll(/^(?:PWD|SHLVL|_|OLDPWD)=.*\n/gm, '')).toBe('');
  expect(told('handles')).not.toContain(tree.at('app'));
});

test('ends a search that takes too long, and marks it as incomplete', async () => {
  using tree = tempTree(['app/a.txt']);
  await using call = await openToolCall([tree.at('app')]);
  const options = {
    ripgrep: impostor(tree, 'exec sleep 60'),
    readers,
    milliseconds: 50,
    signal: call.signal,
  };
  const next = await call.access({ operation: 'read', path: '.' }, (location) =>
    searchPlace(location, { ...plain, pattern: 'needle .' }, options).next(),
  );
  expect(next).toEqual({ done: true, value: { complete: false } });
});

test('ends a cancelled search at once', async () => {
  using tree = tempTree(['app/a.txt = needle 1']);
  const cancel = new AbortController();
  const ripgrep = impostor(tree, 'exec sleep 60');
  // A pattern that only ripgrep can look for, and a file that may hold it.
  const wish = { query: { pattern: 'needle .' }, options: { ripgrep, signal: cancel.signal } };
  const searching = search(tree, wish);
  setImmediate(() => cancel.abort());
  await expect(searching).rejects.toThrow('aborted');
});

test('a root that is one file can be searched', async () => {
  using tree = tempTree(['a.txt = needle\n']);
  await using call = await openToolCall([tree.at('a.txt')]);
  const options = { ripgrep: await findRipgrep(process.env), readers, signal: call.signal };
  const next = await call.access({ operation: 'read', path: tree.at('a.txt') }, (location) =>
    searchPlace(location, plain, options).next(),
  );
  expect(next.value).toMatchObject({ path: '', matches: 1 });
});

function textIn(pattern: string, more: Partial<TextQuery> = {}): string | undefined {
  const plain = { literal: false, ignoreCase: false, wholeWord: false, context: 0 };
  return requiredText({
    pattern,
    ...plain,
    globs: [],
    exclude: [],
    gitignore: true,
    perFile: 1,
    ...more,
  });
}

test.each([
  ['needle', 'needle'],
  ['a needle in a haystack', 'a needle in a haystack'],
  ['foo\\.bar', 'foo'],
  ['^import .* from', 'import '],
  ['\\bclass\\s+Foo', 'class'],
  ['colou?r', 'colo'],
  ['ab+cd', 'ab'],
  ['ab*c', 'a'],
  ['名前+', '名前'],
  ['abc[de]fghij', 'abc'],
  ['abc(de)?fghij', 'abc'],
  ['abc{2}defgh', 'ab'],
  ['x\\x41bcdef', 'x'],
  ['x\\pLbcdef', 'x'],
  ['x\\u{41}bcdef', 'x'],
])('%s requires %s', (pattern, text) => {
  expect(textIn(pattern)).toBe(text);
});

test.each(['a|b', '(?i)abc', '(?x) a b', '.*', '\\d+', '[ab]c', '(a)b', 'a?', 'a*', 'a{0}', '\\Qab'])(
  '%s requires no literal text',
  (pattern) => {
    expect(textIn(pattern)).toBeUndefined();
  },
);

test('requires plain text literally, unless case is ignored', () => {
  expect(textIn('a|b(', { literal: true })).toBe('a|b(');
  expect(textIn('a|b(', { literal: true, ignoreCase: true })).toBeUndefined();
  expect(textIn('abc', { ignoreCase: true })).toBeUndefined();
});
