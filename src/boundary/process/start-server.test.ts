import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startServerUnchecked } from './start-server.ts';

const env = { PATH: process.env['PATH'] };
const start = (script: string) =>
  startServerUnchecked({ file: '/bin/sh', args: ['-c', script], cwd: '/', env: { ...env, WORD: 'given' } });

test('a server gets its environment alone, speaks on its streams, and its exit code is known', async () => {
  const server = start('echo "$WORD $HOME"; read line; echo "$line" >&2; exit 5');
  const [said, complained] = [text(server.stdout), text(server.stderr)];
  server.stdin.write('hello\n');
  expect([await said, await complained]).toEqual(['given \n', 'hello\n']);
  expect(await server.ended).toEqual({ code: 5, signal: undefined });
});

test('a program that does not exist is named', async () => {
  const server = startServerUnchecked({ file: '/no/such', args: [], cwd: '/', env });
  await expect(server.ended).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await server.stop();
});

test('the end of its input ends a server, and a process that it left in its group ends with it', async () => {
  const server = start('sleep 1000 & echo $!; cat >/dev/null');
  const pid = await new Promise<number>((resolve) =>
    server.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
  );
  await server.stop();
  expect(await server.ended).toEqual({ code: 0, signal: undefined });
  await expect.poll(() => isThere(pid)).toBe(false);
});

test('SIGTERM ends a server that ignores the end of its input', async () => {
  const server = start('trap "exit 9" TERM; while :; do sleep 0.05; done');
  await server.stop();
  expect(await server.ended).toEqual({ code: 9, signal: undefined });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
