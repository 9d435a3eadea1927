import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { refusePage, sendError } from './respond.ts';
import type { ServerResponse } from 'node:http';

async function answerOf(
  answer: (response: ServerResponse) => void,
): Promise<{ status: number; body: unknown }> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const body: unknown = await response.json();
  server.close();
  server.closeAllConnections();
  return { status: response.status, body };
}

test('a refusal contains a hint', async () => {
  const { status, body } = await answerOf((response) => refusePage(response, 'used-link'));
  expect(status).toBe(401);
  expect(body).toMatchObject({ error: { code: 'used-link', hint: expect.stringContaining('Enter') } });
});

test('a RootwardError keeps its message', async () => {
  const error = new RootwardError('UNKNOWN_ROOT', { root: 'x', known: [] });
  const { status, body } = await answerOf((response) => sendError(response, error, () => {}));
  expect([status, body]).toEqual([
    404,
    { error: { code: error.code, message: error.message, hint: error.hint } },
  ]);
});

test('an unexpected error goes to the terminal, and to the page as an id', async () => {
  let told = '';
  const { status, body } = await answerOf((response) =>
    sendError(response, new Error('/secret/path'), (text) => (told = text)),
  );
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(told).toContain('/secret/path');
});
