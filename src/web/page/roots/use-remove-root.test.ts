import { expect, test } from 'vitest';
import { fakeApi } from '../../../../test/support/browser/fake-api.ts';
import { createModel } from '../live/model.ts';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import { useRemoveRoot } from './use-remove-root.ts';

test('each of two removed roots can be restored, in any order', async () => {
  const removed = { '/api/roots/undo': {}, '/api/roots/remove': { name: 'shop', undo: 'one' } };
  const { api, posted } = fakeApi(removed);
  const model = createModel(api);
  const running = await runHook(useRemoveRoot, model);
  await running.act(async () => void (await running.result()('/w/shop')));
  removed['/api/roots/remove'] = { name: 'docs', undo: 'two' };
  await running.act(async () => void (await running.result()('/w/docs')));
  expect(model.toasts.value.map(({ text }) => text)).toEqual([
    'Removed shop. Servers no longer see it',
    'Removed docs. Servers no longer see it',
  ]);
  await running.act(() => model.toasts.value[0]?.action?.run());
  expect(posted.at(-1)).toEqual(['/api/roots/undo', { undo: 'one' }]);
});

test('a refusal offers no undo', async () => {
  const model = createModel(fakeApi().api);
  const running = await runHook(useRemoveRoot, model);
  await running.act(async () => expect(await running.result()('/w/shop')).toBe(false));
  expect(model.toasts.value).toMatchObject([{ bad: true, text: 'No /api/roots/remove' }]);
  expect(model.toasts.value[0]?.action).toBeUndefined();
});
