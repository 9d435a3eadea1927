import { expect, test } from 'vitest';
import type { Query } from './audit-reader.ts';
import { fakeApi, type FakeApi } from '../../../../test/web/fake-api.ts';
import { createModel, type Model } from '../live/model.ts';
import { runHook, type RunningHook } from '../../../../test/web/run-hook.ts';
import { type AuditWindow, useAudit } from './use-audit.ts';

interface Scene extends FakeApi {
  readonly model: Model;
  readonly running: RunningHook<AuditWindow>;
  readonly page: { total: number; upto: number; entries: readonly object[]; skipped: number };
  readonly setFilter: (query: Query) => void;
  /** Which entries were asked for since the last time. */
  readonly readings: () => readonly Query[];
}

async function scene(): Promise<Scene> {
  const page = { total: 30, upto: 30, entries: [{ number: 30 }], skipped: 0 };
  const fake = fakeApi({ '/api/audit': page, '/api/audit/plot': {}, '/api/audit/names': {} });
  const model = createModel(fake.api);
  const running = await runHook(() => useAudit(model.filter.value), model);
  await running.act(() => settle());
  return {
    ...fake,
    model,
    running,
    page,
    setFilter: (query) => (model.filter.value = { ...model.filter.value, ...query }),
    readings: () => fake.asked.splice(0).flatMap(([path, query]) => (path === '/api/audit' ? [query] : [])),
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('what is new is read at once', async () => {
  const { running, model, readings } = await scene();
  expect([readings().length, running.result().reading?.page.total]).toEqual([1, 30]);
  await running.act(() => void (model.lastEntry.value = 31));
  expect(readings()).toHaveLength(1);
});

test('what is paused stands still, and says that there is more', async () => {
  const { running, model, readings } = await scene();
  await running.act(() => running.result().setPaused(true));
  readings();
  await running.act(() => void (model.lastEntry.value = 31));
  expect([readings(), running.result().fresh]).toEqual([[], true]);
  await running.act(() => running.result().setPaused(false));
  expect(readings()).toHaveLength(1);
});

test('another filter reads also while it is paused: the entries that there were', async () => {
  const { running, setFilter, readings } = await scene();
  await running.act(() => running.result().setPaused(true));
  readings();
  await running.act(async () => {
    setFilter({ verdict: 'deny' });
    await settle();
  });
  await running.act(() => settle());
  expect(readings()).toMatchObject([{ verdict: 'deny', upto: '30' }]);
  expect(running.result().reading?.query).toMatchObject({ verdict: 'deny' });
});

test('a server that greets again is read again', async () => {
  const { running, model, readings } = await scene();
  readings();
  await running.act(() => void (model.greetings.value += 1));
  expect(readings()).toHaveLength(1);
});

test('who reads further down is not disturbed', async () => {
  const { running, model, readings } = await scene();
  readings();
  await running.act(() => running.result().setAtTop(false));
  await running.act(() => void (model.lastEntry.value = 31));
  expect([readings(), running.result().fresh]).toEqual([[], true]);
});
