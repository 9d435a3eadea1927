import { expect, test } from 'vitest';
import { Call } from './call.ts';
import { createCore } from './core.ts';
import { RunningCalls } from './running-calls.ts';
import { McpServer } from '@modelcontextprotocol/server';

function begin(): { readonly signal: AbortSignal; readonly call: Call } {
  const core = createCore(new McpServer({ name: 's', version: '1' }), {});
  const { attachment } = core.place();
  const request = { method: 'tools/call' };
  const call = new Call({ attachment, request, context: {}, takesArgument: false });
  return { signal: new AbortController().signal, call };
}

test('every call is found by its own signal, in whatever order they end', () => {
  const running = new RunningCalls();
  const calls = Array.from({ length: 5 }, begin);
  for (const { signal, call } of calls) running.add(signal, call);
  expect(running.size).toBe(5);
  for (const index of [2, 0, 4, 1, 3]) {
    const ended = calls[index];
    if (ended === undefined) throw new Error('There is no such call');
    expect(running.find(ended.signal)).toBe(ended.call);
    running.remove(ended.signal);
    expect(running.find(ended.signal)).toBeUndefined();
    const next = begin();
    running.add(next.signal, next.call);
    expect(running.find(next.signal)).toBe(next.call);
    running.remove(next.signal);
  }
  expect(running.size).toBe(0);
});

test('a signal that is not running finds nothing, and its end ends no other', () => {
  const running = new RunningCalls();
  const [one, other] = [begin(), begin()];
  running.add(one.signal, one.call);
  expect(running.find(other.signal)).toBeUndefined();
  running.remove(other.signal);
  expect(running.find(one.signal)).toBe(one.call);
});
