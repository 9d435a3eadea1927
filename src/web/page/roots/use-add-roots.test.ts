import { expect, test } from 'vitest';
import { type Api, ApiError } from '../live/api.ts';
import { createModel } from '../live/model.ts';
import { runHook } from '../../../../test/web/run-hook.ts';
import { listed, useAddRoots } from './use-add-roots.ts';

test('what was refused stays, the rest is added and told', async () => {
  const api = {
    post: async (_: string, { path }: { readonly path: string }) => {
      if (path === '/bad') throw new ApiError({ code: 'X', message: 'not this', hint: '' }, 409);
      return { name: path.slice(1) };
    },
  } as unknown as Api;
  const model = createModel(api);
  const running = await runHook(useAddRoots, model);
  await running.act(async () => expect(await running.result()(['/a', '/bad', '/b'])).toEqual(['/bad']));
  expect(model.toasts.value.map(({ text }) => text)).toEqual([
    'not this',
    'Added a and b. Servers may read and list there',
  ]);
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('%j is told as %s', (names, text) => {
  expect(listed(names)).toBe(text);
});
