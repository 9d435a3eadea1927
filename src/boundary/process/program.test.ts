import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { type ProgramOptions, startProgram } from './program.ts';

/** This very Node, as a program. */
function node(script: string, more: Partial<ProgramOptions> = {}): ProgramOptions {
  return { file: process.execPath, args: ['-e', script], milliseconds: 15_000, ...more };
}

const endless = 'setInterval(() => {}, 1000)';

test('gets its input', async () => {
  await using program = startProgram(node('process.stdin.pipe(process.stdout)'));
  program.stdin.end('given');
  expect(await text(program.stdout)).toBe('given');
  expect(await program.ended).toEqual({ code: 0, stopped: undefined, stderr: '' });
});

test('gets no environment, and starts in its own directory', async () => {
  const script = 'console.log(Object.keys(process.env).join(), process.cwd())';
  await using program = startProgram(node(script));
  expect(await text(program.stdout)).toBe(` ${dirname(process.execPath)}\n`);
});

test('a program that stops reading early does not fail', async () => {
  await using program = startProgram(node('process.exit(0)'));
  program.stdout.resume();
  for (let part = 0; part < 64; part += 1) program.stdin.write(Buffer.alloc(64 * 1024));
  program.stdin.end();
  expect(await program.ended).toMatchObject({ code: 0, stopped: undefined });
});

test('is killed when its time is over', async () => {
  await using program = startProgram(node(endless, { milliseconds: 50 }));
  expect(await program.ended).toMatchObject({ code: undefined, stopped: 'time' });
});

test('is killed when the call is cancelled, and does not start afterwards', async () => {
  const cancel = new AbortController();
  const options = node(endless, { signal: cancel.signal });
  await using program = startProgram(options);
  cancel.abort();
  expect(await program.ended).toMatchObject({ code: undefined, stopped: 'aborted' });
  expect(() => startProgram(options)).toThrow('aborted');
});

test('is killed when it is closed', async () => {
  const program = startProgram(node(endless));
  await program.close();
  expect(await program.ended).toMatchObject({ stopped: 'aborted' });
});

test('reports how it failed', async () => {
  using tree = tempTree();
  await using failing = startProgram(node(`console.error('bad'); process.exitCode = 3`));
  failing.stdout.resume();
  expect(await failing.ended).toEqual({ code: 3, stopped: undefined, stderr: 'bad\n' });
  const missing = startProgram(node('', { file: tree.at('nothing') }));
  await expect(missing.ended).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('is not started by its name alone', () => {
  expect(() => startProgram(node('', { file: 'node' }))).toThrow('it is not absolute');
});
