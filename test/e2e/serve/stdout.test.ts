import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { referenceCommand, serveCommand } from '../../support/processes/command.ts';
import { call, converse, initialize, messagesIn } from '../../support/processes/converse.ts';

/** Something of everything: answers, refusals, a tool that is not there, an unknown method. */
const requests = [
  initialize,
  { method: 'tools/list' },
  call('read_text_file', { path: 'a.txt' }),
  call('read_text_file', { path: '../secret' }),
  call('search_text', { pattern: 'inside' }),
  call('read_text_file', { path: 5 }),
  call('no_such_tool'),
  { method: 'no/such/method' },
  { method: 'resources/read', params: { uri: 'rootward://roots' } },
] as const;

const printer = fileURLToPath(new URL('../../support/processes/printer.mjs', import.meta.url));
const tree = ['app/a.txt = inside', 'secret'] as const;

test('there is nothing but messages on stdout', async () => {
  using files = tempTree(tree);
  using command = serveCommand({ args: [files.at('app')] });
  const { stdout, stderr, code } = await converse(command, requests);
  expect(messagesIn(stdout)).toHaveLength(requests.length);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('with --debug too, and every step is in a file that stderr names', async () => {
  using files = tempTree(tree);
  using command = serveCommand({ args: [files.at('app'), '--debug'] });
  const { stdout, stderr, code } = await converse(command, requests);
  expect(messagesIn(stdout)).toHaveLength(requests.length);
  const log = join(command.home, 'log/debug.log');
  expect(stderr).toBe(`rootward: every step is written to ${log}\n`);
  const steps = readFileSync(log, 'utf8').trimEnd().split('\n');
  expect(steps.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ kind: 'composed', project: 'app', roots: ['app'] }),
  );
  expect(code).toBe(0);
});

test('a package that prints does so on stderr', async () => {
  using files = tempTree(tree);
  using command = serveCommand({ node: ['--import', printer], args: [files.at('app')] });
  const { stdout, stderr, code } = await converse(command, requests);
  expect(messagesIn(stdout)).toHaveLength(requests.length);
  for (const way of ['console.log', 'console.info', 'console.debug', 'process.stdout.write'])
    expect(stderr).toContain(`printed with ${way}\n`);
  expect(code).toBe(0);
});

test('the package would print between the messages of a server that does not care', async () => {
  using careless = referenceCommand('/');
  const command = { ...careless, args: ['--import', printer, ...careless.args] };
  const { stdout } = await converse(command, [initialize, { method: 'tools/list' }]);
  expect(stdout).toContain('printed with console.log\n');
});
