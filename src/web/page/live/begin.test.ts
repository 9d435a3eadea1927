import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PageApi, ApiError } from './api.ts';
import { begin, tokenIn } from './begin.ts';
import { createModel } from './model.ts';

const token = 't'.repeat(43);
const refusal = new ApiError({ code: 'used-link', message: 'used', hint: 'again' }, 401);

/** Responses to logging in, by what is sent. */
function openModel(enter: PageApi['enter']): ReturnType<typeof createModel> {
  const never = (): Promise<never> => Promise.reject(refusal);
  return createModel({ get: never, post: never, enter, url: (path) => path });
}

const replaced = vi.fn<(data: unknown, unused: string, url: string) => void>();
beforeEach(() => void vi.stubGlobal('history', { replaceState: replaced }));
afterEach(() => {
  vi.unstubAllGlobals();
  replaced.mockClear();
});

test('a link logs the page in, and is removed from the address', async () => {
  const entered: unknown[] = [];
  const model = openModel(async (given) => void entered.push(given));
  const live = vi.fn<() => void>();
  await begin(model, { hash: `#${token}`, pathname: '/prefix/' }, live);
  expect([entered, live.mock.calls.length]).toEqual([[token], 1]);
  expect(replaced).toHaveBeenCalledWith(null, '', '/prefix/');
});

test('a window that was logged in comes back without a link', async () => {
  const model = openModel(async (given) => expect(given).toBeUndefined());
  const live = vi.fn<() => void>();
  await begin(model, { hash: '#audit', pathname: '/prefix/' }, live);
  expect([replaced.mock.calls.length, live.mock.calls.length]).toEqual([0, 1]);
});

test('a used link closes the page, unless this window is logged in', async () => {
  const live = vi.fn<() => void>();
  const stranger = openModel(() => Promise.reject(refusal));
  await begin(stranger, { hash: `#${token}`, pathname: '/' }, live);
  expect([stranger.status.value, stranger.refusal.value?.code, live.mock.calls.length]).toEqual([
    'closed',
    'used-link',
    0,
  ]);
  const known = openModel((given) => (given === undefined ? Promise.resolve() : Promise.reject(refusal)));
  await begin(known, { hash: `#${token}`, pathname: '/' }, live);
  expect(live).toHaveBeenCalledTimes(1);
});

test('a new link opens a closed page, and starts nothing twice on a live one', async () => {
  const live = vi.fn<() => void>();
  const model = openModel(async () => {});
  model.status.value = 'closed';
  await begin(model, { hash: `#${token}`, pathname: '/' }, live);
  expect(live).toHaveBeenCalledTimes(1);
  model.status.value = 'live';
  await begin(model, { hash: `#${token}`, pathname: '/' }, live);
  expect(live).toHaveBeenCalledTimes(1);
});

test('the name of a view is not taken for a secret', () => {
  expect([tokenIn('#roots'), tokenIn(''), tokenIn(`#${token}`)]).toEqual([undefined, undefined, token]);
});
