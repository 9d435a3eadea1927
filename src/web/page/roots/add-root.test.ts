import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../../../../test/support/browser/fake-api.ts';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import { type PageApi, ApiError } from '../live/api.ts';
import { createModel } from '../live/model.ts';
import { listed, useAddRoots, useLooks } from './add-root.tsx';

test('keeps refused paths, and adds and reports the rest', async () => {
  const api = {
    post: async (_: string, { path }: { readonly path: string }) => {
      if (path === '/bad') throw new ApiError({ code: 'X', message: 'not this', hint: '' }, 409);
      return { name: path.slice(1) };
    },
  } as unknown as PageApi;
  const model = createModel(api);
  const running = await runHook(useAddRoots, model);
  await running.act(async () => expect(await running.result()(['/a', '/bad', '/b'])).toEqual(['/bad']));
  expect(model.toasts.value.map(({ text }) => text)).toEqual([
    'not this',
    'Added a and b. Servers may read and list it',
  ]);
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('formats %j as %s', (names, text) => {
  expect(listed(names)).toBe(text);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('looks at each path after typing has stopped, and at no empty one', async () => {
  const { api, asked } = fakeApi({ '/api/look': { name: 'x' } });
  let paths: readonly string[] = [' /a ', '/b'];
  const model = createModel(api);
  const running = await runHook(() => {
    void model.greetings.value;
    return useLooks(paths);
  }, model);
  expect([running.result(), asked]).toEqual([undefined, []]);
  await running.act(async () => void (await vi.advanceTimersByTimeAsync(300)));
  expect(asked.map(([, { path }]) => path)).toEqual(['/a', '/b']);
  expect(running.result()).toHaveLength(2);
  paths = [];
  await running.act(() => void (model.greetings.value += 1));
  await running.act(async () => void (await vi.advanceTimersByTimeAsync(300)));
  expect([running.result(), asked.length]).toEqual([undefined, 2]);
});
