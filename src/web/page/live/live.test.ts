import { expect, test } from 'vitest';
import { fakeApi } from '../../../../test/support/browser/fake-api.ts';
import { FakeBrowser } from '../../../../test/support/browser/fake-browser.ts';
import { type PageApi, ApiError } from './api.ts';
import { goLive, wait } from './live.ts';
import { createModel, type PageModel } from './model.ts';

const known = { '/api/about': {}, '/api/roots': {}, '/api/running': [], '/api/watching': {} };
const hello = { kind: 'hello', server: 'a', stream: 'one' };

interface Scene {
  readonly browser: FakeBrowser;
  readonly models: readonly PageModel[];
  readonly posted: (readonly [string, object])[];
}

async function scene(windows: number, enter: PageApi['enter'] = async () => {}): Promise<Scene> {
  const browser = new FakeBrowser();
  const { api, posted } = fakeApi(known);
  const models = Array.from({ length: windows }, () => {
    const model = createModel({ ...api, enter });
    goLive(model, browser.openWindow().means);
    return model;
  });
  await browser.settle();
  return { browser, models, posted };
}

test('seven windows share one stream, and all are live', async () => {
  const { browser, models } = await scene(7);
  expect(browser.streams.map(({ url }) => url)).toEqual(['./api/events']);
  browser.streams[0]?.send(hello);
  browser.streams[0]?.send({ kind: 'audit', last: 3 });
  await browser.settle();
  expect(models.map(({ status, lastEntry }) => [status.value, lastEntry.value])).toEqual(
    models.map(() => ['live', 3]),
  );
});

test('the server learns how many windows are visible', async () => {
  const { browser, posted } = await scene(2);
  browser.streams[0]?.send(hello);
  await browser.settle();
  expect(posted).toEqual([['/api/watching', { stream: 'one', visible: 2, hidden: 0 }]]);
});

test('retries a lost server until it is back, for all windows', async () => {
  let answers = false;
  const { browser, models } = await scene(2, async () => {
    if (!answers) throw new ApiError({ code: 'lost', message: '', hint: '' }, 0);
  });
  browser.streams[0]?.send(hello);
  await browser.settle();
  browser.streams[0]?.fail();
  await browser.settle();
  expect([models.map(({ status }) => status.value), browser.open.length]).toEqual([['lost', 'lost'], 0]);
  await browser.runTimers();
  expect(browser.streams).toHaveLength(1);
  answers = true;
  await browser.runTimers();
  browser.open[0]?.send(hello);
  await browser.settle();
  expect(models.map(({ status }) => status.value)).toEqual(['live', 'live']);
});

test('a server that does not know the page closes it, and a new link opens it again', async () => {
  const view = { code: 'no-session', message: 'unknown', hint: 'open a link' };
  const { browser, models } = await scene(1, () => Promise.reject(new ApiError(view, 401)));
  const [model] = models;
  if (model === undefined) throw new Error('There is no window');
  browser.streams[0]?.send(hello);
  browser.streams[0]?.fail();
  await browser.settle();
  await browser.runTimers();
  expect([model.status.value, model.refusal.value, browser.open.length]).toEqual(['closed', view, 0]);
  goLive(model, browser.openWindow().means);
  await browser.settle();
  browser.open[0]?.send(hello);
  await browser.settle();
  expect(model.status.value).toBe('live');
});

test('a window that is refused closes alone', async () => {
  const browser = new FakeBrowser();
  const { api } = fakeApi(known);
  const refused = { code: 'no-proof', message: 'unknown', hint: '' };
  const [one, two] = [
    createModel(api),
    createModel({ ...api, get: () => Promise.reject(new ApiError(refused, 401)) }),
  ];
  for (const model of [one, two]) goLive(model, browser.openWindow().means);
  await browser.settle();
  browser.open[0]?.send(hello);
  await browser.settle();
  expect([one?.status.value, two?.status.value]).toEqual(['live', 'closed']);
});

test('waiting ends in time, and at once when aborted', async () => {
  await wait(1, new AbortController().signal);
  const stop = new AbortController();
  const waiting = wait(600_000, stop.signal);
  stop.abort();
  await waiting;
  await wait(600_000, stop.signal);
  expect(stop.signal.aborted).toBe(true);
});
