import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { eachPlace } from './project-info-places.ts';

test('every root that may be looked at, or the place that was named', async () => {
  using tree = tempTree(['app/src/', 'docs/', 'closed/']);
  const policy = { preset: 'read-only', roots: { closed: { allow: ['list'] } } } as const;
  await using call = await openToolCall(
    ['app', 'docs', 'closed'].map((name) => tree.at(name)),
    { policy },
  );
  const names = (path?: string): Promise<readonly string[]> =>
    eachPlace(call, path, async ({ root, relative }) => basename(`${root.name}/${relative}`));
  expect(await names()).toEqual(['.', '.']);
  expect(await names('src')).toEqual(['src']);
  await expect(names(tree.at('closed'))).rejects.toMatchObject({ code: 'DENIED' });
  await using only = await openToolCall([tree.at('closed')], { policy });
  await expect(eachPlace(only, undefined, async () => 1)).rejects.toMatchObject({ code: 'DENIED' });
});
