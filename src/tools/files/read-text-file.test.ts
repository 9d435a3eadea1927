import { truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { limits } from '../tool/answer-limits.ts';
import { readFile, readTextFile, readTextPart, type TextPart, type TextWish } from './read-text-file.ts';

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

async function read(content: string | Uint8Array, wish: Partial<TextWish> = {}): Promise<TextPart> {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/a.txt'), content);
  await using call = await openToolCall([tree.at('app')]);
  const { signal } = call;
  return await call.access({ operation: 'read', path: 'a.txt' }, (location) =>
    readTextPart(location, { signal, ...wish }),
  );
}

/** Follows the hints until there is no more. */
async function readAll(content: string, limit: number): Promise<readonly string[]> {
  const parts: string[] = [];
  for (let offset = 0; ;) {
    const { text, more } = await read(content, { limit, offset });
    parts.push(text);
    const next = /with offset (\d+)/.exec(more ?? '')?.[1];
    if (next === undefined) return parts;
    expect(Number(next)).toBeGreaterThan(offset);
    offset = Number(next);
  }
}

test('returns a text that fits as a whole', async () => {
  expect(await read('12345', { limit: 5 })).toEqual({ text: '12345' });
  expect(await read('')).toEqual({ text: '' });
});

test('cuts a long text after a line, with hints to read on', async () => {
  const content = 'first\nsecond\nthird line\n4\n';
  expect(await readAll(content, 8)).toEqual(['first\n', 'second\n', 'third li', 'ne\n4\n']);
  expect((await readAll(content, 3)).join('')).toBe(content);
});

test('never cuts a character in two', async () => {
  const content = 'ä€😀'.repeat(20);
  for (const limit of [4, 5, 7]) {
    const parts = await readAll(content, limit);
    expect(parts.join('')).toBe(content);
    expect(parts.join('')).not.toContain('\ufffd');
  }
});

test('reads the first and last lines', async () => {
  const content = 'a\nb\nc\n';
  expect(await read(content, { head: 2 })).toEqual({ text: 'a\nb' });
  expect(await read(content, { tail: 2 })).toEqual({ text: 'b\nc\n' });
  expect(await read(content, { head: 0, tail: 0 })).toEqual({ text: content });
});

test('cuts lines that are too long', async () => {
  const content = `${'x'.repeat(20)}\n${'y'.repeat(20)}`;
  expect(await read(content, { head: 1, limit: 10 })).toMatchObject({
    text: 'x'.repeat(10),
    more: /offset 10/,
  });
  expect(await read(content, { tail: 1, limit: 10 })).toMatchObject({
    text: 'y'.repeat(10),
    more: /byte 31/,
  });
});

test('reads the first lines of a huge file without the rest', async () => {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/a.txt'), 'text\n'.repeat(200));
  truncateSync(tree.at('app/a.txt'), 5 * 1024 ** 3);
  await using call = await openToolCall([tree.at('app')]);
  const { signal } = call;
  const reading = call.access({ operation: 'read', path: 'a.txt' }, (location) =>
    readTextPart(location, { head: 1, signal }),
  );
  expect(await reading).toEqual({ text: 'text' });
});

test.each([
  { head: 1, tail: 1 },
  { head: 1, offset: 1 },
  { head: 1.5 },
  { tail: -1 },
  { offset: Number.NaN },
  { offset: 2 ** 60 },
])('refuses %o', async (wish) => {
  await expect(read('a\n', wish)).rejects.toMatchObject({ code: 'INVALID_RANGE' });
});

test.each([
  ['bytes', Buffer.from([0, 1, 2, 255])],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
])('refuses %s', async (_name, content) => {
  await expect(read(content)).rejects.toMatchObject({ code: 'NOT_TEXT' });
  await expect(read(content, { head: 1 })).rejects.toMatchObject({ code: 'NOT_TEXT' });
});

test('refuses NUL anywhere', async () => {
  await expect(read(`${'text\n'.repeat(1_000)}\0`)).rejects.toMatchObject({ code: 'NOT_TEXT' });
});

test('shows text that is not UTF-8 as far as possible', async () => {
  expect((await read(Buffer.from('caf\u00e9 au lait', 'latin1'))).text).toBe('caf\ufffd au lait');
});
