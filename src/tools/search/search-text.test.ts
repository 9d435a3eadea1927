import { chmodSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryName } from '../../boundary/read/temporary-name.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRipgrep, findUnsafeRipgreps, searchText } from './search-text.ts';

const entries = [
  'app/.gitignore = dist\n',
  'app/a.ts = const needle = 1;\n// more\nneedle();\n',
  'app/src/b.md = # Needle\n',
  'app/dist/c.js = needle',
  'app/link => src',
  'more/d.txt = needle\n',
  'secret = needle',
];

async function search(input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('more')]);
  const text = JSON.stringify({ pattern: 'needle', ...input }).replaceAll('$', tree.path);
  const { structuredContent } = await call.run(searchText, JSON.parse(text) as Record<string, unknown>);
  return JSON.parse(JSON.stringify(structuredContent).replaceAll(tree.path, '$')) as Record<string, unknown>;
}

test('searches the project by default', async () => {
  expect(await search({})).toEqual({
    files: [
      {
        path: 'a.ts',
        matches: 2,
        lines: [
          { line: 1, text: 'const needle = 1;', match: true },
          { line: 3, text: 'needle();', match: true },
        ],
      },
    ],
    matches: 2,
    complete: true,
  });
});

test('shows paths within the project as relative, with real names', async () => {
  const pathsOf = async (input: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> =>
    ((await search({ ignoreCase: true, output: 'files', ...input }))['files'] as { path: string }[]).map(
      ({ path }) => path,
    );
  expect(await pathsOf({})).toEqual(['a.ts', 'src/b.md']);
  expect(await pathsOf({ path: 'src' })).toEqual(['src/b.md']);
  expect(await pathsOf({ path: 'link' })).toEqual(['src/b.md']);
  expect(await pathsOf({ path: 'src/b.md' })).toEqual(['src/b.md']);
  expect(await pathsOf({ path: '$/more' })).toEqual(['$/more/d.txt']);
});

test('is cut at the limit, and marked', async () => {
  const found = await search({ limit: 1 });
  expect(found).toMatchObject({ matches: 1, complete: false });
  expect(await search({ limit: 2 })).toMatchObject({ matches: 2, complete: true });
});

test('returns counts, and context lines', async () => {
  expect(await search({ output: 'counts' })).toMatchObject({
    files: [{ path: 'a.ts', matches: 2, lines: [] }],
  });
  const { files } = await search({ pattern: 'more', context: 1 });
  expect(files).toMatchObject([{ lines: [{ match: false }, { match: true }, { match: false }] }]);
});

test('words', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')]);
  expect((await call.run(searchText, { pattern: 'needle\\(' })).content).toEqual([
    { type: 'text', text: 'a.ts\n3: needle();\n\n[1 matching lines in 1 files]' },
  ]);
  expect((await call.run(searchText, { pattern: 'nowhere' })).content).toEqual([
    { type: 'text', text: 'No matches found' },
  ]);
});

test('refuses bad patterns, bad globs and places outside', async () => {
  await expect(search({ pattern: '[' })).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
  await expect(search({ globs: ['!a'] })).rejects.toMatchObject({ code: 'INVALID_GLOB' });
  await expect(search({ path: '$/secret' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await expect(search({ pattern: '' })).rejects.toThrow('Too small');
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(searchText, { pattern: 'x' })).rejects.toThrow('aborted');
});

test('pages are stable and complete', async () => {
  using tree = tempTree(['app/']);
  const names = Array.from({ length: 300 }, (_, index) => `d${index % 7}/f${index}.txt`);
  for (const name of names) tree.add(`app/${name} = needle\n`);
  await using call = await openToolCall([tree.at('app')]);
  interface Page {
    readonly files: readonly { readonly path: string }[];
    readonly next?: number;
    readonly complete: boolean;
  }
  const page = async (offset: number): Promise<Page> => {
    const input = { pattern: 'needle', limit: 90, offset };
    const { structuredContent } = await call.run(searchText, input);
    return structuredContent as unknown as Page;
  };
  const first = await page(0);
  for (let turn = 0; turn < 5; turn += 1) expect(await page(0)).toEqual(first);
  const paths: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { files, next, complete }: Page = await page(offset);
    expect(complete).toBe(next === undefined);
    paths.push(...files.map(({ path }) => path));
    offset = next;
  }
  expect(paths.toSorted()).toEqual(names.toSorted());
});

test('does not search temporary files', async () => {
  using tree = tempTree(['app/a.txt = needle', `app/${temporaryName()} = needle`]);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(searchText, { pattern: 'needle', output: 'files' });
  expect(structuredContent['files']).toMatchObject([{ path: 'a.txt' }]);
});

test('uses the bundled ripgrep, if it runs', async () => {
  using tree = tempTree(['own']);
  const load = async (): Promise<{ rgPath: string }> => ({ rgPath: tree.at('own') });
  expect(await findRipgrep({}, load)).toBeUndefined();
  chmodSync(tree.at('own'), 0o755);
  expect(await findRipgrep({}, load)).toBe(tree.at('own'));
  expect(isAbsolute((await findRipgrep({})) ?? '')).toBe(true);
});

test('otherwise uses none that a tool could have planted', async () => {
  using tree = tempTree(['bin/rg']);
  chmodSync(tree.at('bin/rg'), 0o755);
  const load = (): Promise<never> => Promise.reject(new Error('not for this system'));
  expect(await findRipgrep({ PATH: tree.at('bin') }, load)).toBeUndefined();
  const told = [expect.stringContaining(`"${tree.at('bin/rg')}" is not used: `)];
  expect(await findUnsafeRipgreps({ PATH: tree.at('bin') }, load)).toEqual(told);
  expect(await findUnsafeRipgreps({ PATH: tree.at('bin') })).toEqual([]);
});
