import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { startAt } from '../start-at.ts';
import type { TextQuery } from './text-query.ts';
import { walkSearch } from './walk-search.ts';

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

test('stops when its time is over, and says that it is not complete', async () => {
  using tree = tempTree(['app/a.txt = x', 'app/b.txt = x']);
  await using call = await openToolCall([tree.at('app')]);
  const next = await call.access({ operation: 'read', path: '.' }, async (location) =>
    walkSearch(await startAt(location), query, { milliseconds: 0, signal: call.signal }).next(),
  );
  expect(next).toEqual({ done: true, value: { complete: false } });
});

test('stops when it is cancelled on the way', async () => {
  using tree = tempTree(['app/a.txt = x', 'app/b.txt = x']);
  const cancel = new AbortController();
  await using call = await openToolCall([tree.at('app')]);
  const searching = call.access({ operation: 'read', path: '.' }, async (location) => {
    const hits = walkSearch(await startAt(location), query, { signal: cancel.signal });
    await hits.next();
    cancel.abort();
    return hits.next();
  });
  await expect(searching).rejects.toThrow('aborted');
});
