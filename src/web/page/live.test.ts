import { expect, test } from 'vitest';
import { type Api, ApiError } from './api.ts';
import { goLive } from './live.ts';
import { createModel, type Model } from './model.ts';

interface Stream {
  onmessage: unknown;
  onerror: unknown;
  closed: boolean;
}

function fire(handler: unknown, event?: object): void {
  if (typeof handler !== 'function') throw new Error('Nobody listens');
  handler(event);
}

interface Scene {
  readonly model: Model;
  readonly streams: Stream[];
  readonly fail: () => void;
  readonly runLater: () => Promise<void>;
}

function scene(enter: Api['enter']): Scene {
  const api: Api = { get: async () => ({}) as never, post: async () => ({}) as never, enter };
  const model = createModel(api);
  const streams: Stream[] = [];
  const waiting: (() => void)[] = [];
  goLive(model, {
    open: () => {
      const stream = {
        onmessage: null,
        onerror: null,
        closed: false,
        close: () => void (stream.closed = true),
      };
      streams.push(stream);
      return stream;
    },
    later: (run) => void waiting.push(run),
  });
  return {
    model,
    streams,
    fail: () => fire(streams.at(-1)?.onerror),
    async runLater() {
      for (const run of waiting.splice(0)) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a lost server is tried again until it is back', async () => {
  let answers = false;
  const { model, streams, fail, runLater } = scene(async () => {
    if (!answers) throw new ApiError({ code: 'lost', message: '', hint: '' }, 0);
  });
  model.status.value = 'live';
  fail();
  expect([model.status.value, streams[0]?.closed]).toEqual(['lost', true]);
  await runLater();
  expect(streams).toHaveLength(1);
  answers = true;
  await runLater();
  expect(streams).toHaveLength(2);
});

test('a server that knows the page no longer closes it', async () => {
  const view = { code: 'no-session', message: 'unknown', hint: 'open a link' };
  const { model, streams, fail, runLater } = scene(() => Promise.reject(new ApiError(view, 401)));
  fail();
  await runLater();
  expect([model.status.value, model.refusal.value, streams.length]).toEqual(['closed', view, 1]);
});

test('what is told is taken in', async () => {
  const { model, streams } = scene(async () => {});
  fire(streams[0]?.onmessage, { data: '{"kind":"audit","last":3}' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.lastEntry.value).toBe(3);
});
