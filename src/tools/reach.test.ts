import { expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { openToolCall } from '../testing/open-tool-call.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { reach } from './reach.ts';

test('a refusal names the path as it was asked', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  const asked = [tree.at('app/missing.txt'), 'missing.txt', toFileUri(tree.at('app/missing.txt'))];
  for (const path of asked) {
    const reading = reach(call, { operation: 'read', path }, ({ boundary, relative }) =>
      boundary.readText(relative),
    );
    await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND', data: { path } });
  }
});

test('other failures stay what they are', async () => {
  using tree = tempTree(['app/a.txt', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const failing = reach(call, { operation: 'read', path: 'a.txt' }, () => {
    throw new TypeError('mine');
  });
  await expect(failing).rejects.toThrow(TypeError);
  const path = tree.at('secret');
  await expect(reach(call, { operation: 'read', path }, () => 1)).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
    data: { path },
  });
});
