import { expect, test } from 'vitest';
import { startUpstream, type UpstreamEnd } from './upstream.ts';

function start(script: string) {
  const heard: string[] = [];
  let end: (value: UpstreamEnd) => void = () => undefined;
  const ended = new Promise<UpstreamEnd>((resolve) => (end = resolve));
  const launch = { file: '/bin/sh', args: ['-c', script], cwd: '/', env: { PATH: process.env['PATH'] } };
  const upstream = startUpstream(launch, {
    line: (bytes) => void heard.push(bytes.toString()),
    tooLong: () => undefined,
    full: () => undefined,
    drained: () => undefined,
    stderr: (bytes) => void heard.push(`! ${bytes.toString()}`),
    ended: end,
  });
  return { upstream, heard, ended };
}

test('everything that a server said is heard before its end, which has the last line of stderr', async () => {
  const { upstream, heard, ended } = start('read a; echo "$a"; echo "why: x" >&2; exit 4');
  upstream.pause();
  upstream.resume();
  upstream.write('hello\n');
  expect(await ended).toEqual({
    code: 4,
    signal: undefined,
    reason: 'the server ended (exit code 4): why: x',
  });
  expect(heard.toSorted()).toEqual(['! why: x\n', 'hello\n']);
});

test('a signal is named, and a program that never started as well', async () => {
  expect((await start('kill -USR1 $$').ended).reason).toBe('the server ended (SIGUSR1)');
  const listener = {
    line: () => undefined,
    tooLong: () => undefined,
    full: () => undefined,
    drained: () => undefined,
    stderr: () => undefined,
  };
  const end = await new Promise<UpstreamEnd>((ended) => {
    startUpstream({ file: '/no/such', args: [], cwd: '/', env: {} }, { ...listener, ended });
  });
  expect(end.reason).toContain('Cannot start "/no/such"');
});

test('after a stop nothing is heard, and the end is returned', async () => {
  const { upstream, heard } = start('cat; echo late');
  expect(await upstream.stop()).toMatchObject({ code: 0 });
  upstream.write('x\n');
  expect(heard).toEqual([]);
});
