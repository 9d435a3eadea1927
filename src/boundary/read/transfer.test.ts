import { closeSync, openSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { closeFile, flushData, flushFile, readAt, writeAll } from './transfer.ts';

describe('readAt', () => {
  test.each([
    [0, 5, '01234'],
    [7, 5, '789'],
    [10, 5, ''],
    [3, 0, ''],
  ])('from %d fills up to %d bytes: %j', async (position, length, expected) => {
    using tree = tempTree(['a = 0123456789']);
    const fd = openSync(tree.at('a'), 'r');
    const buffer = Buffer.alloc(length);
    expect(buffer.toString('utf8', 0, await readAt(fd, buffer, position))).toBe(expected);
    closeSync(fd);
  });

  test.runIf(process.platform === 'linux')(
    'continues if the system returns less than requested',
    async () => {
      const fd = openSync('/proc/self/mountinfo', 'r');
      const buffer = Buffer.alloc(1024 * 1024);
      const whole = readFileSync('/proc/self/mountinfo', 'utf8');
      expect(buffer.toString('utf8', 0, await readAt(fd, buffer, 0))).toBe(whole);
      closeSync(fd);
    },
  );
});

describe('writeAll', () => {
  test('writes more than one call takes', async () => {
    using tree = tempTree();
    const data = Buffer.alloc(9 * 1024 * 1024, 'abc');
    const fd = openSync(tree.at('a'), 'w');
    await writeAll(fd, data);
    await closeFile(fd);
    expect(readFileSync(tree.at('a')).equals(data)).toBe(true);
  });

  test('writes nothing for nothing', async () => {
    using tree = tempTree();
    const fd = openSync(tree.at('a'), 'w');
    await writeAll(fd, new Uint8Array());
    await closeFile(fd);
    expect(readFileSync(tree.at('a'), 'utf8')).toBe('');
  });

  test('stops between two calls when it is aborted', async () => {
    using tree = tempTree();
    const fd = openSync(tree.at('a'), 'w');
    const controller = new AbortController();
    const writing = writeAll(fd, Buffer.alloc(9 * 1024 * 1024), { signal: controller.signal });
    controller.abort();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(tree.at('a')).length).toBeLessThan(9 * 1024 * 1024);
    closeSync(fd);
  });
});

test('flushes and closes', async () => {
  using tree = tempTree(['a']);
  const fd = openSync(tree.at('a'), 'r+');
  await flushFile(fd);
  await flushData(fd);
  await closeFile(fd);
  await expect(flushFile(fd)).rejects.toMatchObject({ code: 'EBADF' });
});
