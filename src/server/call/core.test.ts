import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { HandlerCall } from '../sdk/intercept-server.ts';
import { readSettings } from '../settings/settings.ts';
import { Call } from './call.ts';
import { callScope } from './composition-for.ts';
import { createCore } from './core.ts';

const arrivalWith = (context: unknown): HandlerCall =>
  new HandlerCall({ method: 'tools/call', handler: () => undefined, bare: false }, {}, context);

const createServer = (): McpServer => new McpServer({ name: 's', version: '1' });

test('finds a call by the signal of its context, in every copy', () => {
  const core = createCore(createServer(), readSettings({}));
  const { signal } = new AbortController();
  const attachment = core.attachments.find(undefined);
  const call = new Call(attachment, arrivalWith({ signal }));
  core.calls.add(call);
  expect(core.calls.find({ signal })).toBe(call);
  expect(core.calls.find({ mcpReq: { signal } })).toBe(call);
  expect(core.calls.find({ signal: new AbortController().signal })).toBeUndefined();
  expect(core.calls.find(undefined)).toBeUndefined();
});

test('a call keeps its connection, even after another one', () => {
  const core = createCore(createServer(), readSettings({}));
  core.attachments.open({});
  const attachment = core.attachments.find(undefined);
  const call = new Call(attachment, arrivalWith({}));
  core.attachments.open({});
  expect(callScope(core, call).attachment).toBe(attachment);
  expect(callScope(core, undefined).attachment).not.toBe(attachment);
});

test('can be closed more than once', () => {
  const core = createCore(createServer(), readSettings({ eager: true }));
  expect(core.closed).toBe(false);
  core.close();
  core.close();
  expect(core.closed).toBe(true);
});
