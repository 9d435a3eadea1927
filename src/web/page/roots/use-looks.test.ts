import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../../../../test/web/fake-api.ts';
import { createModel } from '../live/model.ts';
import { runHook } from '../../../../test/web/run-hook.ts';
import { useLooks } from './use-looks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each path is looked at once the typing has ended; nothing is nothing to look at', async () => {
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
