import { expect, test } from 'vitest';
import { type Attachment, createAttachment } from './attachment.ts';
import { readContext } from '../sdk/call-context.ts';
import type { LowServer } from '../sdk/protocol-server.ts';
import { readSettings } from '../settings/settings.ts';

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
    memoryOf: undefined,
    answered: (one) => answered.push(one),
  });
  return { attachment, answered };
}

const incoming = readContext({ _meta: { 'agent-working-dir': '/work/here' } });

test('the directory in a request is read in the words of its client', () => {
  expect(attachmentOf('goose').attachment.placesIn(incoming)).toEqual(['/work/here']);
  expect(attachmentOf('unheard-of').attachment.placesIn(incoming)).toEqual([]);
  expect(attachmentOf('goose').attachment.placesIn(readContext({}))).toEqual([]);
});

test('an answer is told with its connection', () => {
  const { attachment, answered } = attachmentOf('goose');
  attachment.answered();
  expect(answered).toEqual([attachment]);
});

test('after it is closed nobody can be asked', () => {
  const { attachment } = attachmentOf('goose');
  expect(attachment.connection.ways()).toHaveLength(1);
  attachment.close();
  expect(attachment.connection.ways()).toEqual([]);
});
