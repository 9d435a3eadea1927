import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { startAt } from '../start-at.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { ripgrepSearch } from './ripgrep-search.ts';
import type { TextQuery } from './text-query.ts';

const query: TextQuery = {
  pattern: 'x',
  literal: false,
  ignoreCase: false,
  wholeWord: false,
  context: 0,
  globs: [],
  exclude: [],
  gitignore: true,
  perFile: 1,
};

test('whoever has enough stops the program', async () => {
  using tree = tempTree(Array.from({ length: 50 }, (_file, index) => `app/${index}.txt = x\nx\n`));
  await using call = await openToolCall([tree.at('app')]);
  const file = (await findRipgrep(process.env)) ?? '';
  const taken = await call.access({ operation: 'read', path: '.' }, async (location) => {
    const hits = ripgrepSearch(await startAt(location), query, { file, signal: call.signal });
    const first = await hits.next();
    await hits.return({ complete: false });
    return [first.done, (await hits.next()).done];
  });
  expect(taken).toEqual([false, true]);
});

test('the reason why a pattern is none is that of ripgrep, in one line', async () => {
  using tree = tempTree(['app/a.txt = x']);
  await using call = await openToolCall([tree.at('app')]);
  const file = (await findRipgrep(process.env)) ?? '';
  const reasonOf = (pattern: string): Promise<unknown> =>
    call
      .access({ operation: 'read', path: '.' }, async (location) =>
        ripgrepSearch(await startAt(location), { ...query, pattern }, { file, signal: call.signal }).next(),
      )
      .catch((error: unknown) => error);
  expect(await reasonOf('(')).toMatchObject({ data: { reason: 'unclosed group' } });
  expect(await reasonOf('(?=x)')).toMatchObject({ data: { reason: expect.stringContaining('look-around') } });
});
