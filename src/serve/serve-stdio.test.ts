import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveCommand } from '../../test/support/processes/command.ts';
import { call, converse, initialize, messagesIn } from '../../test/support/processes/converse.ts';
import { speakHere } from '../../test/support/processes/speak.ts';
import { tempTree } from '../testing/temp-tree.ts';

// More tests are in test/e2e/serve.
test('answers requests, and ends when the client disconnects', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  using command = serveCommand({ args: [tree.at('app')] });
  const { stdout, stderr, code } = await converse(command, [
    initialize,
    call('read_text_file', { path: 'a.txt' }),
  ]);
  expect(messagesIn(stdout)).toMatchObject([
    { id: 0, result: { serverInfo: { name: 'rootward' } } },
    { id: 1, result: { content: [{ text: 'inside' }] } },
  ]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('refuses a message that is too long, reports it on stderr, and goes on', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  using command = serveCommand({ args: [tree.at('app')] });
  const content = 'x'.repeat(11 * 1024 * 1024);
  const { stdout, stderr, code } = await converse(command, [
    initialize,
    call('write_file', { path: 'a.txt', content }),
    call('read_text_file', { path: 'a.txt' }),
  ]);
  expect(messagesIn(stdout)).toMatchObject([
    { id: 0 },
    { id: 1, error: { code: -32_600, message: expect.stringContaining('longer than') } },
    { id: 2, result: { content: [{ text: 'inside' }] } },
  ]);
  expect(stderr).toContain('rootward: A message is longer than');
  expect(code).toBe(0);
});

test('skips a line that is not a message, and logs it', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  using command = serveCommand({ args: [tree.at('app'), '--log-file', tree.at('steps.log')] });
  const { stdout, code } = await converse(command, ['this is no message', initialize, '{"jsonrpc":"1.0"}']);
  expect(messagesIn(stdout)).toMatchObject([{ id: 1, result: { serverInfo: { name: 'rootward' } } }]);
  expect(readFileSync(tree.at('steps.log'), 'utf8')).toContain('"kind":"wire"');
  expect(code).toBe(0);
});

test('inside another program it uses the streams that it is given, and leaves those of the process alone', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  const write: unknown = Reflect.get(process.stdout, 'write');
  await using server = await speakHere({ args: [tree.at('app')] });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'inside' });
  expect(Reflect.get(process.stdout, 'write')).toBe(write);
  expect(await server.wire.leave()).toEqual({ code: 0, signal: null, stopped: false });
});
