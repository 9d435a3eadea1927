import { expect, test, vi } from 'vitest';
import { NotificationStreams, subscribedKinds } from './listeners.ts';
import type { Reply } from './reply.ts';

interface Watched {
  readonly reply: Reply;
  readonly end: ReturnType<typeof vi.fn>;
  readonly event: ReturnType<typeof vi.fn>;
}

function newReply(): Watched {
  const [end, event] = [vi.fn<() => void>(), vi.fn<Reply['event']>()];
  return { reply: { openStream: () => {}, end, event } as unknown as Reply, end, event };
}

test('a new stream replaces the old one, and survives its end', () => {
  const streams = new NotificationStreams();
  const [old, fresh] = [newReply(), newReply()];
  streams.open('s', old.reply);
  streams.open('s', fresh.reply);
  expect(old.end).toHaveBeenCalledOnce();
  streams.forget('s', old.reply);
  expect(streams.size).toBe(1);
  streams.forget('s', fresh.reply);
  expect(streams.size).toBe(0);
});

test('a session without a stream is sent nothing', () => {
  const streams = new NotificationStreams();
  const { reply, event } = newReply();
  streams.open('s', reply);
  streams.send({ jsonrpc: '2.0', method: 'a' }, 'other');
  expect(event).not.toHaveBeenCalled();
  streams.send({ jsonrpc: '2.0', method: 'a' });
  expect(event).toHaveBeenCalledOnce();
});

test.each<[string, object | undefined, readonly string[] | undefined]>([
  ['nothing', undefined, undefined],
  ['no notifications', {}, undefined],
  ['a list', { notifications: ['toolsListChanged'] }, undefined],
  ['none', { notifications: {} }, []],
  ['what can be had', { notifications: { toolsListChanged: true } }, ['toolsListChanged']],
  ['what cannot be had', { notifications: { promptsListChanged: true } }, []],
  ['a no', { notifications: { toolsListChanged: false } }, []],
  ['a word', { notifications: { toolsListChanged: 'yes' } }, []],
])('a client that asks for %s', (_what, params, expected) => {
  const kinds = subscribedKinds(params as never, ['toolsListChanged']);
  expect(kinds && [...kinds]).toEqual(expected);
});
