import { expect, test } from 'vitest';
import { ApiError, createApi, keepProof } from './api.ts';

interface Seen {
  readonly path: string;
  readonly init: RequestInit;
}

function answering(status: number, body: unknown): { readonly seen: Seen[]; readonly fetch: typeof fetch } {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: async (path, init = {}) => {
      seen.push({ path: path instanceof Request ? path.url : String(path), init });
      return Response.json(body, { status });
    },
  };
}

test('every call sends the proof from the login', async () => {
  const { seen, fetch } = answering(200, { proof: 'p' });
  const api = createApi(fetch);
  await api.enter('token');
  await api.post('/api/roots/add', { path: '/x' });
  await api.get('/api/roots');
  expect(seen[0]?.init.body).toBe('{"token":"token"}');
  const proofs = seen.map(({ init }) => new Headers(init.headers).get('x-rootward-proof'));
  expect(proofs).toEqual(['', 'p', 'p']);
});

test('a returning window sends the old proof and no token', async () => {
  const { seen, fetch } = answering(200, {});
  await createApi(fetch, { read: () => 'before', keep: () => {} }).enter(undefined);
  expect([seen[0]?.init.method, seen[0]?.path]).toEqual([undefined, './api/session']);
  expect(new Headers(seen[0]?.init.headers).get('x-rootward-proof')).toBe('before');
});

test('a query is encoded', async () => {
  const { seen, fetch } = answering(200, {});
  await createApi(fetch).get('/api/browse', { path: '/a b&c' });
  expect(seen[0]?.path).toBe('./api/browse?path=%2Fa+b%26c');
});

test('a refusal contains a hint', async () => {
  const view = { code: 'DENIED', message: 'no', hint: 'ask' };
  const refused = createApi(answering(409, { error: view }).fetch).get('/x');
  await expect(refused).rejects.toMatchObject({ view, status: 409 });
  const gone = createApi(() => Promise.reject(new TypeError('network'))).get('/x');
  await expect(gone).rejects.toSatisfy((error) => error instanceof ApiError && error.status === 0);
});

test('a window keeps its secret over a reload, and another window has none', () => {
  const window = new Map<string, string>();
  const storage = {
    getItem: (key: string) => window.get(key) ?? null,
    setItem: (key: string, value: string) => void window.set(key, value),
  };
  const kept = keepProof(storage);
  expect(kept.read()).toBe('');
  kept.keep('secret');
  expect([kept.read(), keepProof(storage).read()]).toEqual(['secret', 'secret']);
  expect(keepProof({ ...storage, getItem: () => null }).read()).toBe('');
});

test('without storage the secret lasts until the reload', () => {
  const kept = keepProof(undefined);
  kept.keep('secret');
  expect(kept.read()).toBe('secret');
});
