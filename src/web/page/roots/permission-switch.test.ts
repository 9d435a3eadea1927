import { expect, test } from 'vitest';
import { fakeApi } from '../../../../test/support/browser/fake-api.ts';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import { createModel } from '../live/model.ts';
import { permissionOf, usePermit } from './permission-switch.tsx';

const root = { name: 'shop', path: '/w/shop' };

test('each permission has one of three states', () => {
  const permissions = { allow: ['read'], ask: ['write'], deny: [] } as const;
  expect((['read', 'write', 'remove'] as const).map((name) => permissionOf(permissions, name))).toEqual([
    'allow',
    'ask',
    'deny',
  ]);
});

test('switching off "ask" can be undone', async () => {
  const { api, posted } = fakeApi({ '/api/roots/permit': {} });
  const model = createModel(api);
  const running = await runHook(() => usePermit(root), model);
  await running.act(async () => {
    await running.result()({ operation: 'write', from: 'ask', to: 'allow' });
  });
  expect(model.toasts.value).toMatchObject([
    { text: 'You will no longer be asked before shop is written to' },
  ]);
  await running.act(() => model.toasts.value[0]?.action?.run());
  expect(posted.map(([, body]) => body)).toEqual([
    { root: '/w/shop', operation: 'write', state: 'allow' },
    { root: '/w/shop', operation: 'write', state: 'ask' },
  ]);
});

test('other changes show no message, and apply to one server if it is named', async () => {
  const { api, posted } = fakeApi({ '/api/roots/permit': {} });
  const model = createModel(api);
  const running = await runHook(() => usePermit(root, 'search'), model);
  await running.act(async () => {
    await running.result()({ operation: 'read', from: 'allow', to: 'ask' });
  });
  expect(posted).toEqual([
    ['/api/roots/permit', { root: '/w/shop', operation: 'read', state: 'ask', server: 'search' }],
  ]);
  expect(model.toasts.value).toEqual([]);
});
