import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { limits } from '../tool/answer-limits.ts';
import { readFile, readTextFile } from './read-text-file.ts';

test('a path is absolute, relative to the project, or a file URI', async () => {
  using tree = tempTree(['app/src/ü.txt = text', 'docs/a.md']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  for (const path of [
    tree.at('app/src/ü.txt'),
    'src/ü.txt',
    './src/../src/ü.txt',
    toFileUri(tree.at('app/src/ü.txt')),
  ])
    expect((await call.run(readTextFile, { path })).structuredContent).toEqual({ content: 'text' });
  expect((await call.run(readTextFile, { path: tree.at('docs/a.md') })).structuredContent).toEqual({
    content: 'docs/a.md',
  });
});

test('returns a long file in parts', async () => {
  using tree = tempTree(['app/']);
  tree.add(`app/long.txt = ${'line\n'.repeat(limits.text / 4)}`);
  await using call = await openToolCall([tree.at('app')]);
  const { content, structuredContent } = await call.run(readTextFile, { path: 'long.txt' });
  expect(content).toHaveLength(2);
  const offset = Number(/offset (\d+)/.exec(String(structuredContent['more']))?.[1]);
  const rest = await call.run(readTextFile, { path: 'long.txt', offset });
  const length =
    String(structuredContent['content']).length + String(rest.structuredContent['content']).length;
  expect(length).toBe((limits.text / 4) * 5);
});

test.each([
  ['a file outside', '$/secret', 'OUTSIDE_ROOTS'],
  ['a link that leaves', 'leaving', 'OUTSIDE_ROOTS'],
  ['a directory', 'dir', 'IS_A_DIRECTORY'],
  ['a pipe', 'pipe', 'SPECIAL_FILE'],
  ['nothing', 'nothing', 'NOT_FOUND'],
  ['NUL in a name', 'a\0b', 'OUTSIDE_ROOTS'],
  ['a Windows path', 'C:\\Windows\\win.ini', 'NOT_FOUND'],
  ['a foreign URI', 'https://example.com/a', 'NOT_FOUND'],
])('refuses %s', async (_name, path, code) => {
  using tree = tempTree(['app/dir/', 'app/pipe|', 'app/leaving => ../secret', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const asked = path.replace('$', tree.path);
  await expect(call.run(readTextFile, { path: asked })).rejects.toMatchObject({
    code,
    data: { path: asked },
  });
});

test('enforces rules, and records the refusal', async () => {
  using tree = tempTree(['app/.env = TOKEN', 'app/link => .env']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  await expect(call.run(readTextFile, { path: '.env' })).rejects.toMatchObject({ code: 'DENIED' });
  await expect(call.run(readTextFile, { path: 'link' })).rejects.toMatchObject({ code: 'DENIED' });
  expect(call.audit.entries().map(({ outcome }) => outcome)).not.toContain('done');
  expect(call.audit.entries()).toHaveLength(2);
});

test('works under its older name', async () => {
  using tree = tempTree(['app/a.txt = 1\n2\n']);
  await using call = await openToolCall([tree.at('app')]);
  const input = { path: 'a.txt', head: 1 };
  expect(await call.run(readFile, input)).toEqual(await call.run(readTextFile, input));
});
