import { expect, test } from 'vitest';
import { type PageApi, ApiError } from './api.ts';
import { createModel } from './model.ts';

function apiWith(answers: Readonly<Record<string, unknown>>): PageApi {
  return {
    get: async (path) => answers[path] as never,
    post: async () => ({}) as never,
    enter: async () => {},
    url: (path) => `.${path}`,
  };
}

test('a greeting loads everything, and then the page is live', async () => {
  const model = createModel(apiWith({ '/api/roots': { roots: [1] }, '/api/running': [2], '/api/about': {} }));
  await model.take({ kind: 'hello', server: 'one', stream: 's' });
  expect([model.status.value, model.frozen.value, model.greetings.value]).toEqual(['live', false, 1]);
  expect([model.roots.value, model.running.value]).toEqual([{ roots: [1] }, [2]]);
});

test('each event loads the data it announces', async () => {
  const model = createModel(apiWith({ '/api/roots': { roots: [] }, '/api/running': [] }));
  await model.take({ kind: 'roots', revision: 2 });
  expect([model.roots.value, model.running.value]).toEqual([{ roots: [] }, undefined]);
  await model.take({ kind: 'running' });
  expect(model.running.value).toEqual([]);
  await model.take({ kind: 'audit', last: 7 });
  expect(model.lastEntry.value).toBe(7);
});

test('shows a refusal, and closes the page when the session is lost', async () => {
  const model = createModel(apiWith({}));
  const refuse = (code: string, status: number) => (): Promise<never> =>
    Promise.reject(new ApiError({ code, message: 'no', hint: 'why' }, status));
  expect(await model.attempt(refuse('DENIED', 409))).toBe(false);
  expect(model.toasts.value).toMatchObject([{ text: 'no', hint: 'why', bad: true }]);
  expect(model.status.value).toBe('starting');
  await model.attempt(refuse('no-proof', 401));
  expect([model.status.value, model.refusal.value?.code]).toEqual(['closed', 'no-proof']);
  model.dismiss(1);
  expect(model.toasts.value).toHaveLength(0);
});

test('old messages make room', () => {
  const model = createModel(apiWith({}));
  for (let count = 0; count < 9; count += 1) model.showToast({ text: String(count) });
  expect(model.toasts.value.map(({ text }) => text)).toEqual(['6', '7', '8']);
});
