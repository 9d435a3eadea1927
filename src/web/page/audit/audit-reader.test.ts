import { expect, test } from 'vitest';
import { fakeApi, type FakeApi } from '../../../../test/support/browser/fake-api.ts';
import { runHook, type RunningHook } from '../../../../test/support/browser/run-hook.ts';
import type { AuditPage } from '../../wire/wire.ts';
import { createModel, type PageModel } from '../live/model.ts';
import { AuditReader, type AuditWindow, type AuditQuery, useAudit } from './audit-reader.ts';

interface Asked {
  readonly path: string;
  readonly query: AuditQuery;
  readonly answer: () => Promise<void>;
}

/** A server that answers on demand: entries are numbered, and 1,000 of them match. */
function slowServer(): {
  readonly asked: Asked[];
  readonly reader: AuditReader;
  readonly drawn: () => number;
} {
  const asked: Asked[] = [];
  let drawn = 0;
  const reader = new AuditReader(
    {
      get: async (path, query = {}, signal) => {
        const answered = await new Promise<unknown>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          const answer = async (): Promise<void> => {
            resolve(path === '/api/audit' ? pageFor(query) : {});
            await new Promise((done) => setImmediate(done));
          };
          asked.push({ path, query, answer });
        });
        return answered as never;
      },
    },
    () => void (drawn += 1),
  );
  return { asked, reader, drawn: () => drawn };
}

function pageFor({ offset, limit, upto = '1000', text = '' }: AuditQuery): AuditPage {
  const [start, count, total] = [Number(offset), Number(limit), Number(upto)];
  const entries = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, at) => ({
    number: total - start - at,
    path: text,
  }));
  return { total, upto: total, skipped: 0, entries: entries as unknown as AuditPage['entries'] };
}

async function answerAll(asked: Asked[]): Promise<void> {
  for (const { answer } of asked.splice(0)) await answer();
}

test('reads the newest entries, and the rest as they come into view', async () => {
  const { asked, reader } = slowServer();
  const first = reader.begin({});
  await answerAll(asked);
  await first;
  expect([reader.entryAt(0)?.number, reader.entryAt(99)?.number]).toEqual([1_000, 901]);
  reader.need(150, 210);
  reader.need(150, 210);
  expect(asked.map(({ query }) => [query['offset'], query['upto']])).toEqual([
    ['100', '1000'],
    ['200', '1000'],
  ]);
  await answerAll(asked);
  expect(reader.entryAt(205)?.number).toBe(795);
});

test('another filter shows entries even if limited to earlier ones', async () => {
  const { asked, reader } = slowServer();
  const first = reader.begin({});
  await answerAll(asked);
  await first;
  const second = reader.begin({ text: 'x' }, 30);
  expect(asked.map(({ query }) => query['upto'])).toEqual(['30', '30', undefined]);
  // The old rows stay until then.
  expect(reader.entryAt(0)?.number).toBe(1_000);
  await answerAll(asked);
  await second;
  expect([reader.reading?.page.total, reader.entryAt(0)?.path]).toEqual([30, 'x']);
});

test('the last filter wins, whichever response comes first', async () => {
  const { asked, reader, drawn } = slowServer();
  const old = reader.begin({ text: 'old' }).catch((error: unknown) => error);
  const late = asked.splice(0);
  const next = reader.begin({ text: 'new' });
  await answerAll(asked);
  await next;
  await answerAll(late);
  expect(await old).toMatchObject({ message: 'aborted' });
  expect([reader.entryAt(0)?.path, drawn()]).toEqual(['new', 1]);
});

test('rows of an earlier reading do not appear in the next', async () => {
  const { asked, reader } = slowServer();
  const first = reader.begin({});
  await answerAll(asked);
  await first;
  reader.need(100, 110);
  const late = asked.splice(0);
  const next = reader.begin({ text: 'new' });
  await answerAll(asked);
  await next;
  await answerAll(late);
  expect(reader.entryAt(105)).toBeUndefined();
});

test('rows that failed to load are requested again', async () => {
  let fails = true;
  const reader = new AuditReader(
    {
      get: async (path, query = {}) => {
        if (query['offset'] === '100' && fails) throw new Error('lost');
        return (path === '/api/audit' ? pageFor(query) : {}) as never;
      },
    },
    () => {},
  );
  await reader.begin({});
  reader.need(100, 101);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reader.entryAt(100)).toBeUndefined();
  fails = false;
  reader.need(100, 101);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reader.entryAt(100)?.number).toBe(900);
});

test('shows entries that come faster than they can be read, and reads once more', async () => {
  const { asked, reader, drawn } = slowServer();
  const reading = reader.begin({});
  for (let count = 0; count < 9; count += 1) await reader.begin({});
  expect(asked).toHaveLength(3);
  await answerAll(asked);
  expect([drawn(), asked.length]).toEqual([1, 3]);
  await answerAll(asked);
  await reading;
  expect([drawn(), asked.length]).toEqual([2, 0]);
});

interface Scene extends FakeApi {
  readonly model: PageModel;
  readonly running: RunningHook<AuditWindow>;
  readonly page: { total: number; upto: number; entries: readonly object[]; skipped: number };
  readonly setFilter: (query: AuditQuery) => void;
  /** The entries that were requested since the last call. */
  readonly readings: () => readonly AuditQuery[];
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

test('reads new entries at once', async () => {
  const { running, model, readings } = await scene();
  expect([readings().length, running.result().reading?.page.total]).toEqual([1, 30]);
  await running.act(() => void (model.lastEntry.value = 31));
  expect(readings()).toHaveLength(1);
});

test('does not change while paused, and says that there is more', async () => {
  const { running, model, readings } = await scene();
  await running.act(() => running.result().setPaused(true));
  readings();
  await running.act(() => void (model.lastEntry.value = 31));
  expect([readings(), running.result().fresh]).toEqual([[], true]);
  await running.act(() => running.result().setPaused(false));
  expect(readings()).toHaveLength(1);
});

test('another filter reads even while paused, limited to the entries so far', async () => {
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

test('reads again after a reconnect', async () => {
  const { running, model, readings } = await scene();
  readings();
  await running.act(() => void (model.greetings.value += 1));
  expect(readings()).toHaveLength(1);
});

test('does not move while the person reads further down', async () => {
  const { running, model, readings } = await scene();
  readings();
  await running.act(() => running.result().setAtTop(false));
  await running.act(() => void (model.lastEntry.value = 31));
  expect([readings(), running.result().fresh]).toEqual([[], true]);
});
