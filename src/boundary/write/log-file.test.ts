import { openBoundary } from '../open-boundary.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openLogFile } from './log-file.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('appends lines and returns the size of the file', () => {
    using tree = tempTree(['log = old\n']);
    using context = openContext(tree.path, { driver });
    const log = openLogFile(context, 'log');
    expect(log.append('one\n')).toBe(8);
    expect(log.append('zwölf\n')).toBe(15);
    log.close();
    expect(readFileSync(tree.at('log'), 'utf8')).toBe('old\none\nzwölf\n');
  });

  test('is made with its directories and its mode', () => {
    using tree = tempTree();
    using context = openContext(tree.path, { driver });
    openLogFile(context, 'logs/a/log', { parents: true, mode: 0o600 }).close();
    expect(lstatSync(tree.at('logs', 'a', 'log')).mode & 0o777).toBe(0o600);
  });

  test('knows whether its name still leads to it', () => {
    using tree = tempTree(['other']);
    using context = openContext(tree.path, { driver });
    const log = openLogFile(context, 'log');
    expect(log.isCurrent()).toBe(true);
    renameSync(tree.at('log'), tree.at('log.1'));
    expect(log.isCurrent()).toBe(false);
    tree.add('log');
    expect(log.isCurrent()).toBe(false);
    unlinkSync(tree.at('log'));
    tree.add('log => log.1');
    expect(log.isCurrent()).toBe(true);
    log.append('still here\n');
    expect(readFileSync(tree.at('log.1'), 'utf8')).toBe('still here\n');
    log.close();
  });

  test('creates nothing when it checks its name', () => {
    using tree = tempTree();
    using context = openContext(tree.path, { driver });
    const log = openLogFile(context, 'log', { mode: 0o600 });
    renameSync(tree.at('log'), tree.at('log.1'));
    expect(log.isCurrent()).toBe(false);
    expect(readdirSync(tree.path)).toEqual(['log.1']);
    log.close();
  });

  test('knows when it has no name left', () => {
    using tree = tempTree();
    using context = openContext(tree.path, { driver });
    const log = openLogFile(context, 'log');
    renameSync(tree.at('log'), tree.at('log.1'));
    expect(log.isRemoved()).toBe(false);
    unlinkSync(tree.at('log.1'));
    expect(log.isRemoved()).toBe(true);
    log.close();
  });

  test.each([
    ['d', 'IS_A_DIRECTORY'],
    ['pipe', 'SPECIAL_FILE'],
    ['missing/log', 'NOT_FOUND'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s, and holds nothing', async (path, code) => {
    using tree = tempTree(['d/', 'pipe|', 'out => ../log']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    expect(() => openLogFile(context, path)).toThrow(expect.objectContaining({ code }));
    expect(openHandles(tree.path)).toEqual(before);
    await context.lease.close();
  });
});

describe('after its close', () => {
  test('a log refuses everything: its number may belong to another file', async () => {
    using tree = tempTree(['other = untouched']);
    using context = openContext(tree.path);
    const log = openLogFile(context, 'log');
    log.close();
    const other = openLogFile(context, 'other');
    const closed = expect.objectContaining({ code: 'CLOSED' });
    expect(() => log.append('x')).toThrow(closed);
    expect(log.isCurrent()).toBe(false);
    expect(() => log.isRemoved()).toThrow(closed);
    await expect(log.flush()).rejects.toMatchObject({ code: 'CLOSED' });
    log.close();
    expect(other.append('!')).toBe('untouched!'.length);
    other.close();
  });

  test('the boundary can close, and not before', async () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    const log = openLogFile(context, 'log');
    const order: string[] = [];
    const closed = context.lease.close().then(() => order.push('boundary'));
    log.append('one\n');
    await log.flush();
    order.push('log');
    log.close();
    await closed;
    expect(order).toEqual(['log', 'boundary']);
    expect(() => openLogFile(context, 'log')).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });
});

test('several processes append whole lines to one log', async () => {
  using tree = tempTree(['log = ']);
  writeFileSync(tree.at('append.mjs'), appender);
  const writers = ['a', 'b', 'c', 'd'];
  const codes = await Promise.all(
    writers.map(async (writer) => {
      const child = spawn(process.execPath, [tree.at('append.mjs'), tree.path, writer], { stdio: 'inherit' });
      const [code]: unknown[] = await once(child, 'exit');
      return code;
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  const lines = readFileSync(tree.at('log'), 'utf8').trimEnd().split('\n');
  const expected = writers.flatMap((writer) =>
    Array.from({ length: linesEach }, (_, index) => `${index} ${writer.repeat(100 + index)}`),
  );
  expect(lines.toSorted()).toEqual(expected.toSorted());
});

const linesEach = 300;

/** Other processes need plain JavaScript, which the setup of the tests has made. */
const compiled = new URL('../../../.build/src/boundary/open-boundary.js', import.meta.url);

const appender = `
  import { openBoundary } from ${JSON.stringify(compiled)};
  const [, , path, writer] = process.argv;
  const boundary = await openBoundary(path);
  const log = boundary.openLog('log');
  for (let index = 0; index < ${linesEach}; index += 1) {
    log.append(index + ' ' + writer.repeat(100 + index) + '\\n');
    if (index % 10 === 0) await new Promise(setImmediate);
  }
  log.close();
  await boundary.close();
`;

test('reports whether there is room for more', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const log = boundary.openLog('log');
  expect(log.hasRoom(1)).toBe(true);
  expect(log.hasRoom(Number.MAX_SAFE_INTEGER)).toBe(false);
  log.close();
});
