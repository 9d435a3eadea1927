import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mountSmallDisk } from '../../test/support/trees/small-disk.ts';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { tempTree } from '../testing/temp-tree.ts';
import type { CliContext } from './settings/process-context.ts';
import { openRecords } from './open-records.ts';

function contextIn(home: string): CliContext & { readonly said: () => string } {
  let said = '';
  const stderr = { write: (text: string): void => void (said += text) };
  return {
    cwd: '/',
    process: { stdout: { write: () => undefined }, stderr, env: { ROOTWARD_HOME: home } },
    said: () => said,
  };
}

const quiet = { logFile: undefined, debug: false };

function linesOf(file: string): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('decisions', () => {
  test('are in the directory of the user, not readable by others', async () => {
    using tree = tempTree();
    const context = contextIn(tree.at('home'));
    const records = await openRecords(context, quiet);
    await records.audit.record(sampleEntry());
    await records.close();
    expect(linesOf(tree.at('home/log/audit.jsonl'))).toHaveLength(1);
    expect(statSync(tree.at('home/log')).mode & 0o777).toBe(0o700);
    expect(context.said()).toBe('');
  });

  test('are in memory if they cannot be written, and a line says so', async () => {
    using tree = tempTree(['home = a file']);
    const context = contextIn(tree.at('home'));
    const records = await openRecords(context, quiet);
    await records.audit.record(sampleEntry());
    await records.close();
    expect(context.said()).toMatch(/^rootward: decisions are kept in memory only: Cannot .*\n$/);
  });
});

describe('steps', () => {
  test('are not written by default', async () => {
    using tree = tempTree();
    const records = await openRecords(contextIn(tree.at('home')), quiet);
    records.log({ kind: 'closed' });
    await records.close();
    expect(existsSync(tree.at('home/log/debug.log'))).toBe(false);
  });

  test('are appended to the given file, with their time', async () => {
    using tree = tempTree(['logs/steps.log = {"kind":"before"}\n']);
    const context = contextIn(tree.at('home'));
    const records = await openRecords(context, { ...quiet, logFile: tree.at('logs/steps.log') });
    records.log({ kind: 'changed' });
    await records.close();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(linesOf(tree.at('logs/steps.log'))).toEqual([{ kind: 'before' }, { time, kind: 'changed' }]);
    expect(context.said()).toBe('');
  });

  test('go to a default file with --debug only, and stderr names it', async () => {
    using tree = tempTree();
    const context = contextIn(tree.at('home'));
    const records = await openRecords(context, { ...quiet, debug: true });
    records.log({ kind: 'changed' });
    await records.close();
    expect(context.said()).toBe(`rootward: every step is written to ${tree.at('home/log/debug.log')}\n`);
    expect(linesOf(tree.at('home/log/debug.log'))).toMatchObject([{ kind: 'changed' }]);
    expect(statSync(tree.at('home/log/debug.log')).mode & 0o777).toBe(0o600);
  });

  test.each([
    [false, ['changed']],
    [true, ['composed', 'changed']],
  ])('of a server are few unless every step is requested: %s', async (debug, kinds) => {
    using tree = tempTree(['logs/']);
    const file = tree.at('logs/steps.log');
    const records = await openRecords(contextIn(tree.at('home')), { debug, logFile: file });
    records.trace({ kind: 'composed', project: undefined, source: undefined, roots: [], why: '' });
    records.trace({ kind: 'changed' });
    await records.close();
    expect(linesOf(file)).toMatchObject(kinds.map((kind) => ({ kind })));
  });

  test('that come after the end are dropped', async () => {
    using tree = tempTree();
    const records = await openRecords(contextIn(tree.at('home')), { ...quiet, debug: true });
    await records.close();
    expect(() => records.log({ kind: 'closed' })).not.toThrow();
  });

  test('fail to open if they cannot be written', async () => {
    using tree = tempTree(['file = x']);
    const opening = openRecords(contextIn(tree.at('home')), { ...quiet, logFile: tree.at('file/steps.log') });
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', data: { where: '--log-file' } });
  });

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'end with a line on stderr when the disk is full, and no call fails for it',
    async () => {
      using tree = tempTree(['small/']);
      using disk = mountSmallDisk(tree.at('small'));
      const context = contextIn(tree.at('home'));
      const records = await openRecords(context, { ...quiet, logFile: `${disk?.path}/steps.log` });
      for (let turn = 0; turn < 200; turn += 1) records.log({ kind: 'changed', filler: 'x'.repeat(1_000) });
      await records.close();
      expect(context.said()).toMatch(/^rootward: the log ends here: .*\n$/);
    },
  );
});
