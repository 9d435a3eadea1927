import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemory } from '../connection/connection-memory.ts';
import { readContext } from '../sdk/call-context.ts';
import type { LowServer } from '../sdk/protocol-server.ts';
import { readSettings } from '../settings/settings.ts';
import { type Attachment, type OpenAttachments, createAttachment, createAttachments } from './attachments.ts';

const server = {
  getClientCapabilities: () => undefined,
  getClientVersion: () => undefined,
} as unknown as LowServer;

function attachmentsOf(more: Partial<Parameters<typeof createAttachments>[0]> = {}): {
  readonly attachments: OpenAttachments;
  readonly stirred: Attachment[];
} {
  const stirred: Attachment[] = [];
  const attachments = createAttachments({
    server,
    settings: readSettings({}),
    answered: () => undefined,
    rootsDue: (attachment) => stirred.push(attachment),
    ...more,
  });
  return { attachments, stirred };
}

const rememberedBy = (attachment: Attachment) => attachment.connection.memory.current();

describe('a connection is found', () => {
  test('by its session, else the last one, else an empty one', () => {
    const { attachments } = attachmentsOf();
    const none = attachments.find(undefined);
    const one = attachments.open({ sessionId: 'one' });
    const two = attachments.open({ sessionId: 'two' });
    const [first, second] = [attachments.find('one'), attachments.find('two')];
    expect(first).not.toBe(second);
    expect(attachments.find(undefined)).toBe(second);
    two.close();
    expect(attachments.find(undefined)).toBe(first);
    one.close();
    expect(attachments.find('one')).toBe(none);
    one.close();
  });

  test('with its own memory, or that of its session', () => {
    const { attachments } = attachmentsOf();
    attachments.open({}).message({ method: 'initialize', params: { a: 1 } });
    const first = attachments.find(undefined);
    attachments.open({});
    expect(rememberedBy(first).initialize).toEqual({ a: 1 });
    expect(rememberedBy(attachments.find(undefined)).initialize).toBeUndefined();
    const kept = createMemory({ generation: 5 });
    const stored = attachmentsOf({
      settings: readSettings({ memory: (sessionId) => (sessionId === 's' ? kept : undefined) }),
    });
    stored.attachments.open({ sessionId: 's' });
    expect(stored.attachments.find('s').connection.memory).toBe(kept);
    stored.attachments.open({});
    expect(stored.attachments.find(undefined).connection.memory).not.toBe(kept);
  });
});

describe('incoming messages are observed', () => {
  test('keeps initialize as sent, and invalidates the roots on a change', () => {
    const { attachments, stirred } = attachmentsOf();
    const observer = attachments.open({});
    const params = { capabilities: {}, rootUri: 'file:///app', odd: [1] };
    observer.message({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const attachment = attachments.find(undefined);
    expect(rememberedBy(attachment).initialize).toBe(params);
    expect(stirred).toEqual([]);
    observer.message({ method: 'notifications/initialized' });
    observer.message({ method: 'notifications/roots/list_changed' });
    observer.message({ method: 'notifications/roots/list_changed' });
    expect(rememberedBy(attachment).generation).toBe(2);
    expect(stirred).toEqual([attachment, attachment, attachment]);
  });

  test('ignores a change notification in 2026-07-28', () => {
    const modern = { ...server, getNegotiatedProtocolVersion: () => '2026-07-28' } as unknown as LowServer;
    const { attachments, stirred } = attachmentsOf({ server: modern });
    attachments.open({}).message({ method: 'notifications/roots/list_changed' });
    expect(rememberedBy(attachments.find(undefined)).generation).toBe(0);
    expect(stirred).toEqual([]);
  });

  test.each([undefined, null, 5, 'initialize', {}, { method: 7 }, [], { result: {} }])(
    'ignores %j',
    (message) => {
      const { attachments, stirred } = attachmentsOf();
      attachments.open({}).message(message);
      expect(rememberedBy(attachments.find(undefined))).toMatchObject({ generation: 0 });
      expect(stirred).toEqual([]);
    },
  );

  test('an unavailable memory fails no message', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const memory = { ...createMemory(), invalidate: away, keepInitialize: away };
    const { attachments } = attachmentsOf({ settings: readSettings({ memory: () => memory }) });
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const observer = attachments.open({ sessionId: 's' });
    observer.message({ method: 'initialize', params: {} });
    observer.message({ method: 'notifications/roots/list_changed' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

function attachmentOf(clientName: string): {
  readonly attachment: Attachment;
  readonly answered: Attachment[];
} {
  const answered: Attachment[] = [];
  const server = { getClientCapabilities: () => ({}), getClientVersion: () => ({ name: clientName }) };
  const attachment = createAttachment({
    server: server as unknown as LowServer,
    transport: {},
    settings: readSettings({}),
    answered: (one) => answered.push(one),
  });
  return { attachment, answered };
}

const incoming = readContext({ _meta: { 'agent-working-dir': '/work/here' } });

test('reads the directory of a request by the keys of its client', () => {
  expect(attachmentOf('goose').attachment.placesIn(incoming)).toEqual(['/work/here']);
  expect(attachmentOf('unheard-of').attachment.placesIn(incoming)).toEqual([]);
  expect(attachmentOf('goose').attachment.placesIn(readContext({}))).toEqual([]);
});

test('reports an answer with its connection', () => {
  const { attachment, answered } = attachmentOf('goose');
  attachment.answered();
  expect(answered).toEqual([attachment]);
});

test('sends no requests after closing', () => {
  const { attachment } = attachmentOf('goose');
  expect(attachment.connection.ways()).toHaveLength(1);
  attachment.close();
  expect(attachment.connection.ways()).toEqual([]);
});
