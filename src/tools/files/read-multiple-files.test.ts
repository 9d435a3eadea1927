import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { limits } from '../tool/answer-limits.ts';
import { readMultipleFiles } from './read-multiple-files.ts';

test('an unreadable file does not affect the others', async () => {
  using tree = tempTree(['app/a.txt = A', 'app/b.txt = B', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(readMultipleFiles, {
    paths: ['a.txt', 'no', tree.at('secret'), 'b.txt'],
  });
  expect(String(structuredContent['content']).split('\n---\n')).toEqual([
    'a.txt:\nA\n',
    expect.stringMatching(/^no: Error - Cannot read "no": it does not exist/),
    expect.stringMatching(/Error - Cannot reach ".*secret": it is outside the roots/),
    'b.txt:\nB\n',
  ]);
});

test('limits the total size, and names the omitted files', async () => {
  using tree = tempTree(['app/']);
  tree.add(`app/a.txt = ${'x'.repeat(limits.text - 10)}`, 'app/b.txt = 0123456789ABC', 'app/c.txt = C');
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(readMultipleFiles, { paths: ['a.txt', 'b.txt', 'c.txt'] });
  expect(structuredContent['content']).toMatch(/b\.txt:\n0123456789\n\n---\nc\.txt: Error - Not read/);
  expect(structuredContent['more']).toMatch(/on their own: b\.txt, c\.txt/);
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(['app/a.txt']);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(readMultipleFiles, { paths: ['a.txt'] })).rejects.toThrow('aborted');
});
