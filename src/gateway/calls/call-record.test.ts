import { expect, test } from 'vitest';
import { createMemorySink } from '../../audit/sink.ts';
import { ClientCalls } from '../relay/client-calls.ts';
import { frameOf } from '../relay/wire-frame.ts';
import { CallLog, pathsIn } from './call-record.ts';

const started = (method: string, params: object) =>
  new ClientCalls().add(frameOf({ jsonrpc: '2.0', id: 1, method, params }));

test('an entry says what became of a call', () => {
  const audit = createMemorySink();
  const log = new CallLog(audit, { server: 's', caller: 'c' }, () => undefined);
  const tool = started('tools/call', { name: 't', arguments: { path: 'p', text: 'secret' } });
  log.answered(tool, frameOf({ jsonrpc: '2.0', id: 1, result: {} }));
  log.answered(tool, frameOf({ jsonrpc: '2.0', id: 1, error: { code: -1 } }));
  log.answered(tool, frameOf({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required' } }));
  log.cancelled(started('resources/read', { uri: 'x:y' }));
  log.lost(started('prompts/get', { name: 'p' }));
  log.refused(started('tools/list', {}), { verdict: 'deny', rule: 'r', reason: '' });
  expect(
    audit
      .entries()
      .map(({ tool: name, path, operation, outcome, code }) => [name, path, operation, outcome, code]),
  ).toEqual([
    ['t', 'p', 'execute', 'done', undefined],
    ['t', 'p', 'execute', 'failed', '-1'],
    [undefined, 'x:y', 'read', 'cancelled', undefined],
    ['prompt p', '', 'read', 'failed', 'SERVER_ENDED'],
  ]);
});

test('an entry that cannot be written is reported', async () => {
  const told = await new Promise<string>((resolve) => {
    const audit = { record: () => Promise.reject(new Error('full')), close: async () => undefined };
    new CallLog(audit, { server: 's' }, resolve).cancelled(started('tools/call', { name: 't' }));
  });
  expect(told).toBe('full');
});

test('of very long arguments the short ones are looked at', () => {
  const audit = createMemorySink();
  const args = { content: 'x'.repeat(100_000), path: '/a', deep: { file: '/b' } };
  new CallLog(audit, { server: 's' }, () => undefined).cancelled(
    started('tools/call', { name: 't', arguments: args }),
  );
  expect(audit.entries()).toMatchObject([{ path: '/a', detail: 'server s, /b' }]);
});

test('paths are found by their names and forms, within bounds', () => {
  expect(pathsIn({ x: 'file:///a', cwd: 'b', n: 1, target_dir: ['c', 'd'], text: '/not', path: '' })).toEqual(
    ['file:///a', 'b', 'c', 'd'],
  );
  expect(pathsIn({ a: { b: { c: { d: { e: { path: 'deep' } } } } } })).toEqual([]);
  expect(pathsIn({ path: Array.from({ length: 20 }, String) })).toHaveLength(8);
  expect(pathsIn('x')).toEqual([]);
});
