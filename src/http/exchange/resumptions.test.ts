import { expect, test } from 'vitest';
import { cancellationOf, readResumption, PendingResumptions } from './resumptions.ts';

const end = { jsonrpc: '2.0', id: 1, result: { text: 'done' } } as const;

test('a question carries everything needed to answer it', async () => {
  const resumptions = new PendingResumptions();
  const { message, answer } = resumptions.ask('stream', 'here');
  const { stream, node, tell } = readResumption(message);
  expect([stream, node]).toEqual(['stream', 'here']);
  resumptions.take(tell(end));
  expect(await answer).toEqual(end);
});

test('a node without the result answers without one', async () => {
  const resumptions = new PendingResumptions();
  const { message, answer } = resumptions.ask('stream', 'here');
  resumptions.take(readResumption(message).tell(undefined));
  expect(await answer).toBeUndefined();
});

test('ignores an answer to another question, and gives up after a while', async () => {
  const resumptions = new PendingResumptions();
  const { answer } = resumptions.ask('stream', 'here');
  const other = new PendingResumptions().ask('stream', 'here');
  resumptions.take(readResumption(other.message).tell(end));
  resumptions.take({ jsonrpc: '2.0', method: 'rootward/resumed' });
  expect(await answer).toBeUndefined();
});

test('an abandoned call is cancelled by its id', () => {
  expect(cancellationOf({ request: 7 })).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 7 },
  });
});
