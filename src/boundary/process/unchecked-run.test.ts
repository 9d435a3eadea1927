import { describe, expect, test } from 'vitest';
import { limits, survivors } from '../../../test/support/processes/run-in-sandbox.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

describe.runIf(process.platform === 'linux')('a program without confinement', () => {
  test('runs in the directory, and reports how it ended', async () => {
    using tree = tempTree(['src/a.txt = inside']);
    await using boundary = await openBoundary(tree.path);
    const run = { command: 'cat a.txt; echo bad >&2; exit 3', env: { PATH: '/usr/bin:/bin' }, limits };
    const end = await boundary.runUnchecked('src', run);
    expect(end).toMatchObject({ code: 3, stdout: { text: 'inside' }, stderr: { text: 'bad\n' } });
    await expect(boundary.guarded(() => new Error('no')).runUnchecked('src', run)).rejects.toThrow('no');
  });

  test('is killed with its group when its time is over, and does not wait for processes that left the group', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const command = 'sleep 98766 & setsid -f sleep 98767; sleep 98766';
    const run = { command, env: { PATH: '/usr/bin:/bin' }, limits: { ...limits, milliseconds: 500 } };
    try {
      const end = await boundary.runUnchecked('.', run);
      expect(end).toMatchObject({ stopped: 'time', signal: 'SIGKILL' });
      expect(end.milliseconds).toBeLessThan(5_000);
      expect(survivors('98766')).toEqual([]);
    } finally {
      for (const pid of survivors('98767')) process.kill(Number(pid));
    }
  });
});
