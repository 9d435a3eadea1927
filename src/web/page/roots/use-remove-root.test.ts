import { expect, test } from 'vitest';
import { fakeApi } from '../../../../test/support/browser/fake-api.ts';
import { createModel } from '../live/model.ts';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import { useRemoveRoot } from './use-remove-root.ts';

test('each of two removed roots can be taken back, the first one first', async () => {
  const removed = { '/api/roots/undo': {}, '/api/roots/remove': { name: 'shop', undo: 'one' } };
  const { api, posted } = fakeApi(removed);
  const model = createModel(api);
  const running = await runHook(useRemoveRoot, model);
  await running.act(async () => void (await running.result()('/w/shop')));
  removed['/api/roots/remove'] = { name: 'docs', undo: 'two' };
  await running.act(async () => void (await running.result()('/w/docs')));
  expect(model.toasts.value.map(({ text }) => text)).toEqual([
    'Removed shop. Servers see it no more',
    'Removed docs. Servers see it no more',
  ]);
  await running.act(() => model.toasts.value[0]?.action?.run());
  expect(posted.at(-1)).toEqual(['/api/roots/undo', { undo: 'one' }]);
});

test('a refusal offers nothing to take back', async () => {
  const model = createModel(fakeApi().api);
  const running = await runHook(useRemoveRoot, model);
  await running.act(async () => expect(await running.result()('/w/shop')).toBe(false));
  expect(model.toasts.value).toMatchObject([{ bad: true, text: 'No /api/roots/remove' }]);
  expect(model.toasts.value[0]?.action).toBeUndefined();
});
