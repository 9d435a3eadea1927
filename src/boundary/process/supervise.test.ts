import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { killGroup, supervise, type SuperviseOptions } from './supervise.ts';

function start(command: string): ChildProcess {
  return spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
}

function options(more: Partial<SuperviseOptions['limits']> = {}): SuperviseOptions {
  const limits = {
    milliseconds: 10_000,
    kept: 4_096,
    output: 65_536,
    memory: 2 ** 30,
    processes: 100,
    ...more,
  };
  return { limits, signals: [] };
}

describe.runIf(process.platform !== 'win32')('a child', () => {
  test('that ends is reported with its code, its output and its time', async () => {
    const end = await supervise(start('echo out; echo err >&2; exit 4'), options());
    expect(end).toMatchObject({ code: 4, stdout: { text: 'out\n' }, stderr: { text: 'err\n' } });
    expect(end.stopped).toBeUndefined();
    expect(end.milliseconds).toBeGreaterThanOrEqual(0);
  });

  test('that a signal ends is reported with the signal, even through a shell', async () => {
    expect(await supervise(start('kill -TERM $$'), options())).toMatchObject({ signal: 'SIGTERM' });
    expect(await supervise(start('bash -c "kill -SEGV \\$\\$"; exit $?'), options())).toMatchObject({
      code: 139,
      signal: 'SIGSEGV',
    });
    expect(await supervise(start('exit 128'), options())).not.toHaveProperty('signal');
  });

  test.runIf(process.platform === 'linux')('that uses too much is stopped, with the reason', async () => {
    expect((await supervise(start('yes'), options())).stopped).toBe('output');
    expect((await supervise(start('sleep 60'), options({ milliseconds: 50 }))).stopped).toBe('time');
    expect((await supervise(start('sleep 60'), options({ memory: 1 }))).stopped).toBe('memory');
    expect((await supervise(start('sleep 60 & sleep 60; true'), options({ processes: 2 }))).stopped).toBe(
      'processes',
    );
  });

  test('that is cancelled before it is supervised is killed', async () => {
    const end = await supervise(start('sleep 60'), { ...options(), signals: [AbortSignal.abort()] });
    expect(end).toMatchObject({ stopped: 'cancelled', signal: 'SIGKILL' });
  });

  test('that never started is an error', async () => {
    await expect(supervise(spawn('/nothing/there', { stdio: 'ignore' }), options())).rejects.toThrow(
      'ENOENT',
    );
  });
});

test.runIf(process.platform !== 'win32')('killGroup kills a program and its children', async () => {
  const child = spawn('bash', ['-c', 'sleep 98768 & echo on; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  killGroup(child.pid ?? 0);
  // The pipe closes when the last of them has gone.
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  expect(() => killGroup(child.pid ?? 0)).not.toThrow();
});
