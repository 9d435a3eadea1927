import { describe, expect, test } from 'vitest';
import { readTree } from '../architecture/read-tree.ts';
import { plant } from '../architecture/source-tree.ts';
import { brokenLinks } from '../support/docs/broken-links.ts';
import { type Example, findExamples } from '../support/docs/find-examples.ts';
import { loadScope } from '../support/docs/load-scope.ts';
import { codeBlocks } from '../support/docs/markdown.ts';
import { missingExamples } from '../support/docs/missing-examples.ts';
import { runExample } from '../support/docs/run-example.ts';

const tree = readTree();

describe('links', () => {
  test('resolve in every document of this repository', () => {
    expect(brokenLinks(tree)).toEqual([]);
  });

  test('are found in every form', () => {
    const text = [
      '[text](gone-1.md) and ![image](gone-2.png "title") and [![badge](gone-3.svg)](gone-4.md)',
      '[reference]: gone-5.md',
      '<a href="gone-6.md">x</a> <img alt="" src="gone-7.png">',
    ].join('\n\n');
    const gone = brokenLinks(plant({ 'docs/a.md': text })).flatMap(({ message }) => /gone-\d/.exec(message));
    expect(new Set(gone)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7].map((number) => `gone-${number}`)));
  });

  test('report file, line and target', () => {
    expect(brokenLinks(plant({ 'docs/a.md': '# A\n\n[b](../b.md)' }))).toEqual([
      { file: 'docs/a.md', rule: 'links-resolve', message: 'line 3: "../b.md" leads to no file' },
    ]);
  });

  test.each([
    ['a heading of the same file', '# One\n[x](#two)'],
    ['a heading of another file', '[x](b.md#two)'],
    ['a heading that is only code', '```\n# Two\n```\n[x](#two)'],
    ['a third heading where there are two', '# One\n# One\n[x](#one-2)'],
    ['a line that a file does not have', '[x](src/a.ts#L99)'],
  ])('report a missing anchor: %s', (_case, text) => {
    const planted = plant({ 'a.md': text, 'b.md': '# One', 'src/a.ts': '' });
    expect(brokenLinks(planted).map(({ message }) => message)).toEqual([
      expect.stringContaining('leads to no heading'),
    ]);
  });

  test('may lead to files, folders, headings, ids, lines and other places', () => {
    const planted = plant({
      'docs/a.md': [
        '# Why `path/`, and *not* [a link](../b.md)?',
        '[b](../b.md) [top](/b.md) [folder](../src/) [line](../src/a.ts#L1) [here](#why-path-and-not-a-link)',
        '[two](../b.md#two) [again](../b.md#two-1) [id](../b.md#exact) [web](https://x.example/y.md#z)',
        '[mail](mailto:a@x.example) `[code](gone.md)` <!-- [comment](gone.md) -->',
        '```md\n[block](gone.md)\n```',
      ].join('\n\n'),
      'b.md': '## Two\n\n## Two\n\n<a id="exact"></a>',
      'src/a.ts': '',
    });
    expect(brokenLinks(planted)).toEqual([]);
  });
});

describe('examples', () => {
  test.each(findExamples(tree).map((example) => [example.name, example] as const))(
    'hold in %s',
    async (_name, example) => {
      expect(await runExample(example, await loadScope(example.file, example.code))).toEqual([]);
    },
  );

  test('are found in comments with the symbol that they explain', () => {
    const text =
      '/**\n * Adds.\n * @example\n * ```ts\n * add(1, 2) // → 3\n * ```\n * @see x\n */\nexport function add() {}';
    expect(findExamples(plant({ 'src/path/add.ts': text }))).toEqual([
      { name: 'src/path/add.ts:5 add', file: 'src/path/add.ts', code: 'add(1, 2) // → 3', line: 5 },
    ]);
  });

  test('are found in comments without a fence', () => {
    const [example] = findExamples(plant({ 'src/a.ts': '/** @example add(1, 2) // → 3 */' }));
    expect(example?.code.trim()).toBe('add(1, 2) // → 3');
  });

  test('are found in documents where they claim a result', () => {
    const text = '```ts\nadd(1, 2) // → 3\n```\n```ts\nserver.listen(80)\n```\n```sh\nls // → x\n```';
    const names = findExamples(plant({ 'README.md': text, 'docs/a/b.md': text, 'CHANGELOG.md': text }));
    expect(names.map(({ name }) => name)).toEqual(['README.md:2', 'docs/a/b.md:2']);
  });
});

test('every block of TypeScript in a guide claims a result, so that it is run', () => {
  const guides = [...tree].filter(([file]) => /^docs\/guides\/.*\.md$/.test(file));
  const written = guides.flatMap(([file, text]) =>
    codeBlocks(text)
      .filter(({ language }) => language === 'ts')
      .map(({ line }) => `${file}:${line}`),
  );
  const run = new Set(findExamples(tree).map(({ name }) => name));
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter((name) => !run.has(name))).toEqual([]);
});

describe('the scope of an example', () => {
  test('holds the public names, and in the source those of its file', async () => {
    const [own, outside] = [await loadScope('src/base/quote.ts'), await loadScope('README.md')];
    expect(Object.keys(own)).toEqual(expect.arrayContaining(['quote', 'RootwardError']));
    expect(Object.keys(outside)).toContain('RootwardError');
    expect(Object.keys(outside)).not.toContain('quote');
  });

  test('holds what the example imports, from our doors and from packages, under its names', async () => {
    const code = [
      `import { attach as put } from 'rootward/server';`,
      `import { basename } from 'node:path';`,
      `import { isInside } from 'rootward';`,
    ].join('\n');
    const scope = await loadScope('docs/a.md', code);
    expect(scope['put']).toBe((await import('../../src/server/index.ts')).attach);
    expect(scope['basename']).toHaveProperty('name', 'basename');
    expect(scope['attach']).toBeUndefined();
  });

  test.each([
    ['a name that is not exported', `import { nothing } from 'rootward/server';`, 'has no such export'],
    ['everything', `import * as all from 'rootward';`, 'Cannot import all'],
  ])('refuses to import %s', async (_case, code, message) => {
    await expect(loadScope('docs/a.md', code)).rejects.toThrow(message);
  });
});

describe('an example', () => {
  test.each([
    ['a value', '1 + 1 // → 2'],
    ['a value after a semicolon', `'a'.toUpperCase(); // → 'A'`],
    ['an object', '({ a: [1] }) // → { a: [1] }'],
    ['nothing', 'undefined // → undefined'],
    ['an awaited value', 'await Promise.resolve(1) // → 1'],
    ['context before it', `import { x } from 'rootward';\n\nconst list = [\n  1,\n];\nlist.length // → 1`],
    ['a name that is in scope already', 'const fail = 1;\nfail // → 1'],
    ['an error', `fail('a') // throws INVALID_PATH`],
    ['an awaited error', `await (async () => fail('a'))() // throws INVALID_PATH`],
    ['no claim', 'const a = 1;'],
  ])('passes with %s', async (_case, code) => {
    expect(await run(code)).toEqual([]);
  });

  test.each([
    ['a wrong value', '\n1 + 1 // → 3', 'README.md:11: 1 + 1 is 2, not 3'],
    // A promise shows more than its value once anything in this process has observed promises.
    ['a promise that was not awaited', 'Promise.resolve(1) // → 1', 'is Promise {'],
    ['a property too many', '({ a: 1, b: 2 }) // → { a: 1 }', 'is { a: 1, b: 2 }, not { a: 1 }'],
    ['another code', `fail('a') // throws INVALID_URI`, 'throws INVALID_PATH, not INVALID_URI'],
    ['another error', 'null.x // throws INVALID_URI', 'throws TypeError'],
    ['no error', '1 // throws INVALID_URI', 'does not throw INVALID_URI'],
  ])('fails with %s', async (_case, code, message) => {
    expect(await run(code)).toEqual([expect.stringContaining(message)]);
  });

  test('reports every wrong line', async () => {
    expect(await run('1 // → 2\n2 // → 2\n3 // → 4')).toHaveLength(2);
  });

  test.each([
    ['a claim about a declaration', 'const a = 1 // → 1', 'does not follow an expression'],
    ['a claim on a line of its own', '1\n// → 1', 'does not follow an expression'],
    ['a claim within a statement', 'if (true) {\n  1 // → 1\n}', 'does not follow an expression'],
    ['a claim with prose', '1 // → 1, of course', 'neither "→ value" nor "throws CODE"'],
    ['an empty claim', '1 // →', 'neither "→ value" nor "throws CODE"'],
    ['an error without a code', '1 // throws something', 'neither "→ value" nor "throws CODE"'],
    ['bad syntax', 'const = 1', 'Cannot parse README.md'],
    ['no code', '// nothing', 'it has no code'],
    ['context that throws', 'missing();\n1 // → 1', 'missing is not defined'],
  ])('refuses %s', async (_case, code, message) => {
    await expect(run(code)).rejects.toThrow(message);
  });
});

describe('public symbols', () => {
  test.each(['src/index.ts', 'src/server/index.ts', 'src/testing/index.ts'])(
    'have an example each in %s',
    (door) => {
      expect(missingExamples(tree, door)).toEqual([]);
    },
  );

  test.each([
    ['no comment', 'export function a() {}'],
    ['a comment without an example', '/** Does. */\nexport class a {}'],
    ['an example of something else', '/** @example 1 */\nconst b = 1;\nexport const a = () => b;'],
    ['no declaration', ''],
  ])('are reported with %s', (_case, text) => {
    const planted = plant({ 'src/index.ts': `export { a } from './a.ts';`, 'src/a.ts': text });
    expect(missingExamples(planted)).toHaveLength(1);
  });

  test.each([
    ['an example', '/**\n * Does.\n * @example\n * a() // → 1\n */\nexport function a() {}'],
    ['a value that is no function', 'export const a = 1;'],
  ])('pass with %s', (_case, text) => {
    const planted = plant({ 'src/index.ts': `export { a, type B } from './a.ts';`, 'src/a.ts': text });
    expect(missingExamples(planted)).toEqual([]);
  });
});

/** Runs code as if it began at line 10 of the README, with `fail(path)` in scope. */
async function run(code: string): Promise<string[]> {
  const example: Example = { name: 'planted', file: 'README.md', code, line: 10 };
  const { RootwardError } = await import('../../src/errors.ts');
  const fail = (path: string): never => {
    throw new RootwardError('INVALID_PATH', { path, reason: 'it is planted' });
  };
  return runExample(example, { fail });
}
