import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { HeldComposition } from '../compose/composition-cache.ts';
import { HandlerCall } from '../sdk/intercept-server.ts';
import type { ProjectArgumentName } from '../sdk/project-properties.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import type { Attachment } from './attachments.ts';
import { readSettings } from '../settings/settings.ts';
import { Call, RunningCalls } from './call.ts';
import { createCore } from './core.ts';

const attachment = { connection: { overHttp: false } } as unknown as Attachment;

function callOf(
  request: WireRequest,
  context: unknown = {},
  names: readonly ProjectArgumentName[] = ['cwd', 'project'],
): Call {
  const route = { method: request.method, handler: () => undefined, bare: false };
  return new Call(attachment, new HandlerCall(route, request, context), names);
}

/** A held value that counts its releases. */
function holding(): { readonly held: HeldComposition; readonly released: () => number } {
  let count = 0;
  return {
    held: {
      composition: {} as HeldComposition['composition'],
      isNew: true,
      expire: () => undefined,
      release: () => (count += 1),
    },
    released: () => count,
  };
}

test.each([
  ['tools/call', true],
  ['prompts/get', true],
  ['resources/read', true],
  ['tools/list', false],
  ['completion/complete', false],
])('%s can end in a question: %s', (method, expected) => {
  expect(callOf({ method }).mayAsk).toBe(expected);
});

test.each<[string, WireRequest, string | undefined]>([
  ['cwd', { method: 'tools/call', params: { arguments: { cwd: '/a', project: '/b' } } }, '/a'],
  ['project', { method: 'tools/call', params: { arguments: { project: '/b' } } }, '/b'],
  ['nothing', { method: 'tools/call', params: { arguments: {} } }, undefined],
  ['an empty text', { method: 'tools/call', params: { arguments: { cwd: '' } } }, undefined],
  ['something else than text', { method: 'tools/call', params: { arguments: { cwd: 5 } } }, undefined],
  ['arguments that are none', { method: 'tools/call', params: { arguments: 'cwd' } }, undefined],
  ['another method', { method: 'prompts/get', params: { arguments: { cwd: '/a' } } }, undefined],
])('the argument of %s', (_name, request, expected) => {
  expect(callOf(request).argument).toBe(expected);
  expect(callOf(request, {}, []).argument).toBeUndefined();
});

test('holds its composition until the call ends, and releases it once', () => {
  const call = callOf({ method: 'tools/call' });
  const { held, released } = holding();
  call.see(held, true);
  expect(call.seen).toBe(held);
  call.end();
  expect(call.seen).toBeUndefined();
  call.end();
  expect(released()).toBe(1);
});

test('releases a composition for another directory too, and does not use it as its own', () => {
  const call = callOf({ method: 'tools/call' });
  const { held, released } = holding();
  call.see(held, false);
  expect(call.seen).toBeUndefined();
  call.end();
  expect(released()).toBe(1);
});

test('releases at once what comes after the end', () => {
  const call = callOf({ method: 'tools/call' });
  call.end();
  const { held, released } = holding();
  call.see(held, true);
  expect(call.seen).toBeUndefined();
  expect(released()).toBe(1);
});

test('a call can refresh its composition', () => {
  const call = callOf({ method: 'tools/call' });
  const first = holding();
  call.see(first.held, true);
  call.lookAgain();
  expect([call.seen, first.released()]).toEqual([undefined, 1]);
  const second = holding();
  call.see(second.held, true);
  expect([call.seen, second.released()]).toEqual([second.held, 0]);
});

function begin(signal: unknown = new AbortController().signal): Call {
  const core = createCore(new McpServer({ name: 's', version: '1' }), readSettings({}));
  const route = { method: 'tools/call', handler: () => undefined, bare: false };
  return new Call(core.attachments.find(undefined), new HandlerCall(route, {}, { signal }));
}

function find(running: RunningCalls, call: Call): Call | undefined {
  return running.find({ signal: call.mark });
}

test('finds every call by its own mark, in any order of ends', () => {
  const running = new RunningCalls();
  const calls = Array.from({ length: 5 }, () => begin());
  for (const call of calls) running.add(call);
  expect(running.size).toBe(5);
  for (const index of [2, 0, 4, 1, 3]) {
    const ended = calls[index];
    if (ended === undefined) throw new Error('There is no such call');
    expect(find(running, ended)).toBe(ended);
    running.remove(ended);
    expect(find(running, ended)).toBeUndefined();
    const next = begin();
    running.add(next);
    expect(find(running, next)).toBe(next);
    running.remove(next);
  }
  expect(running.size).toBe(0);
});

test('does not find an ended call, and its end affects no other', () => {
  const running = new RunningCalls();
  const [one, other] = [begin(), begin()];
  running.add(one);
  expect(find(running, other)).toBeUndefined();
  running.remove(other);
  expect(find(running, one)).toBe(one);
});

test('does not keep a call without a mark', () => {
  const running = new RunningCalls();
  running.add(begin(null));
  expect(running.size).toBe(0);
});
