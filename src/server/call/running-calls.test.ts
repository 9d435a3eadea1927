import { expect, test } from 'vitest';
import { Arrival } from '../sdk/arrival.ts';
import { Call } from './call.ts';
import { createCore } from './core.ts';
import { RunningCalls } from './running-calls.ts';
import { McpServer } from '@modelcontextprotocol/server';

function begin(signal: unknown = new AbortController().signal): Call {
  const core = createCore(new McpServer({ name: 's', version: '1' }), {});
  const route = { method: 'tools/call', handler: () => undefined, bare: false };
  return new Call(core.place().attachment, new Arrival(route, {}, { signal }), false);
}

function find(running: RunningCalls, call: Call): Call | undefined {
  return call.mark && running.find(call.mark);
}

test('every call is found by its own mark, in whatever order they end', () => {
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

test('a call that is not running is not found, and its end ends no other', () => {
  const running = new RunningCalls();
  const [one, other] = [begin(), begin()];
  running.add(one);
  expect(find(running, other)).toBeUndefined();
  running.remove(other);
  expect(find(running, one)).toBe(one);
});

test('a call without a mark is not kept', () => {
  const running = new RunningCalls();
  running.add(begin(null));
  expect(running.size).toBe(0);
});
