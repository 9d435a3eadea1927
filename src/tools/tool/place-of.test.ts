import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { placeOf } from './place-of.ts';

test('links beneath the root are followed, and a root may be one file', async () => {
  using tree = tempTree(['app/src/a.ts', 'app/link => src', 'b.txt']);
  await using call = await openToolCall([tree.at('app'), tree.at('b.txt')]);
  const place = (path: string): Promise<string> => call.access({ operation: 'list', path }, placeOf);
  expect(await place('link/a.ts')).toBe(tree.at('app/src/a.ts'));
  expect(await place('.')).toBe(tree.at('app'));
  expect(await place(tree.at('b.txt'))).toBe(tree.at('b.txt'));
});
