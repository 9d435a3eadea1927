import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  confined,
  limits,
  mebibyte,
  run,
  survivors,
} from '../../../test/support/processes/run-in-sandbox.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';

const built = new URL('../../../.build/src/boundary', import.meta.url).href;

describe.runIf(process.platform === 'linux' && canRun('bwrap'))(
  `a program in a sandbox is stopped${needs('bwrap')}`,
  () => {
    test('when its time is over, with everything it started, in any session', async () => {
      using tree = tempTree();
      const marker = '98761';
      const command = `setsid -f sleep ${marker}; (setsid sleep ${marker} > /dev/null 2>&1 &); sleep ${marker} & echo on; sleep ${marker}`;
      const end = await run(tree.path, command, { limits: { milliseconds: 700 } });
      expect(end).toMatchObject({ stopped: 'time', signal: 'SIGKILL' });
      expect(end.stdout.text).toBe('on\n');
      expect(end.milliseconds).toBeLessThan(5_000);
      await expect.poll(() => survivors(marker)).toEqual([]);
    });

    test('when it ends itself but left processes running', async () => {
      using tree = tempTree();
      const marker = '98762';
      const end = await run(tree.path, `setsid -f sleep ${marker}; sleep ${marker} & echo done`);
      expect(end).toMatchObject({ code: 0 });
      expect(end.stopped).toBeUndefined();
      await expect.poll(() => survivors(marker)).toEqual([]);
    });

    test('when the call is cancelled, and does not start afterwards', async () => {
      using tree = tempTree();
      const cancel = new AbortController();
      const attempt = { signal: cancel.signal, onOutput: () => cancel.abort() };
      expect(await run(tree.path, 'echo on; sleep 98763', attempt)).toMatchObject({ stopped: 'cancelled' });
      await expect(run(tree.path, 'echo on', attempt)).rejects.toThrow('aborted');
      await expect.poll(() => survivors('98763')).toEqual([]);
    });

    test('when the boundary is closed', async () => {
      using tree = tempTree();
      const boundary = await openBoundary(tree.path);
      const attempt = { onOutput: () => void boundary.close() };
      const running = boundary.runConfined('.', await confined('echo on; sleep 98764', attempt));
      expect(await running).toMatchObject({ stopped: 'cancelled' });
    });

    test('when it writes endlessly', async () => {
      using tree = tempTree();
      const end = await run(tree.path, 'yes', { limits: { output: mebibyte } });
      expect(end.stopped).toBe('output');
      expect(end.stdout.bytes).toBeGreaterThan(mebibyte);
      expect(end.stdout.text.length).toBeLessThan(limits.kept + 100);
    });

    test('when it starts too many processes', async () => {
      using tree = tempTree();
      const command = 'for i in $(seq 60); do sleep 98765 & done 2> /dev/null; sleep 98765';
      const end = await run(tree.path, command, { limits: { processes: 30, milliseconds: 10_000 } });
      expect(end.stopped === 'processes' || /fork|Resource temporarily/.test(end.stderr.text)).toBe(true);
      await expect.poll(() => survivors('98765')).toEqual([]);
      const control = await run(tree.path, 'for i in $(seq 10); do sleep 0.3 & done; wait; echo all', {
        limits: { processes: 30 },
      });
      expect(control.stdout.text).toBe('all\n');
    });

    test('when its processes take too much memory, alone or together', async () => {
      using tree = tempTree();
      const take = (size: number): string => `printf -v x '%*s' ${size * mebibyte} ''; echo held`;
      const hold = (size: number): string => `${take(size)}; sleep 20; true`;
      const memory = { limits: { memory: 200 * mebibyte } };
      const alone = await run(tree.path, hold(400), memory);
      expect(alone.stdout.text).toBe('');
      expect(alone.stderr.text).toContain('cannot allocate');
      const together = await run(tree.path, `for i in 1 2 3 4; do (${hold(60)}) & done; wait`, memory);
      expect(together.stopped).toBe('memory');
      const control = await run(tree.path, take(60), memory);
      expect(control.stdout.text).toBe('held\n');
    });

    test('by the size of its files in memory', async () => {
      using tree = tempTree();
      const { stderr } = await run(
        tree.path,
        'head -c 40000000 /dev/zero > /tmp/a; head -c 40000000 /dev/zero > /dev/shm/a',
      );
      expect(stderr.text.match(/No space left/g)).toHaveLength(2);
    });

    test('when the process that runs it is killed', async () => {
      using tree = tempTree();
      const script = `
      const { openBoundary } = await import('${built}/open-boundary.js');
      const boundary = await openBoundary('.');
      const options = JSON.parse(process.argv[1]);
      const onOutput = () => console.log('on');
      await boundary.runConfined('.', { ...options, onOutput });`;
      const options = JSON.stringify(await confined('setsid -f sleep 98769; echo on; sleep 98769'));
      const runner = spawn(process.execPath, ['--input-type=module', '-e', script, options], {
        cwd: tree.path,
      });
      await once(runner.stdout, 'data');
      await expect.poll(() => survivors('98769')).toHaveLength(2);
      runner.kill('SIGKILL');
      await expect.poll(() => survivors('98769')).toEqual([]);
    });
  },
);
