import { writeFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';

const digits = ['digits = 0123456789'];
const onLinux = process.platform === 'linux';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('reads a whole file, as bytes and as text', async () => {
    using tree = tempTree(['a/x.txt = grüße', 'link => a/x.txt']);
    await using boundary = openWith(driver, tree.path, {});
    expect(await boundary.readBytes('a/x.txt')).toEqual(Buffer.from('grüße'));
    expect(await boundary.readText('link')).toBe('grüße');
  });

  test('reads files larger than a chunk', async () => {
    using tree = tempTree();
    const content = Buffer.alloc(300_001, 'abcdefg');
    writeFileSync(tree.at('large'), content);
    await using boundary = openWith(driver, tree.path, {});
    expect((await boundary.readBytes('large')).equals(content)).toBe(true);
    expect((await boundary.readBytes('large', { start: 65_535 })).equals(content.subarray(65_535))).toBe(
      true,
    );
    expect((await buffer(await boundary.readStream('large'))).equals(content)).toBe(true);
  });
});

test.each([1, 16_383, 16_384, 16_385, 65_536, 65_537])('reads all of %d bytes, and a part', async (size) => {
  using tree = tempTree();
  const content = Buffer.alloc(size, 'abcdefg');
  writeFileSync(tree.at('f'), content);
  await using boundary = await openBoundary(tree.path);
  expect((await boundary.readBytes('f')).equals(content)).toBe(true);
  expect((await boundary.readBytes('f', { start: 1 })).equals(content.subarray(1))).toBe(true);
  expect((await boundary.readBytes('f', { end: size - 1 })).equals(content.subarray(0, -1))).toBe(true);
  expect(openHandles(tree.at('f'))).toEqual([]);
});

const ranges = [
  [{}, '0123456789'],
  [{ start: 4 }, '456789'],
  [{ end: 4 }, '0123'],
  [{ start: 2, end: 4 }, '23'],
  [{ start: 0, end: 0 }, ''],
  [{ start: 5, end: 5 }, ''],
  [{ start: 8, end: 100 }, '89'],
  [{ start: 10 }, ''],
  [{ start: 100, end: 200 }, ''],
] as const;

describe('a range', () => {
  test.each(ranges)('%j is %j', async (range, expected) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    expect(String(await boundary.readBytes('digits', range))).toBe(expected);
    expect(await boundary.readText('digits', range)).toBe(expected);
  });

  test.each(ranges)('%j of a stream is %j', async (range, expected) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    expect(await text(await boundary.readStream('digits', range))).toBe(expected);
  });

  test.each([
    { start: -1 },
    { start: 1.5 },
    { start: Number.NaN },
    { start: Number.POSITIVE_INFINITY },
    { end: -1 },
    { end: 2.5 },
    { end: Number.NaN },
    { start: 3, end: 2 },
    { start: 2 ** 53 },
  ])('%j is refused', async (range) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    const invalid = { code: 'INVALID_RANGE', data: { verb: 'read', path: 'digits' } };
    await expect(boundary.readBytes('digits', range)).rejects.toMatchObject(invalid);
    await expect(boundary.readText('digits', range)).rejects.toMatchObject(invalid);
    await expect(boundary.readStream('digits', range)).rejects.toMatchObject(invalid);
    expect(openHandles(tree.path)).toHaveLength(onLinux ? 1 : 0);
  });
});

describe('a limit', () => {
  test.each([
    ['the file is as large as it', 10, {}, '0123456789'],
    ['the range is as large as it', 3, { start: 2, end: 5 }, '234'],
    ['the end of the range is beyond the file', 2, { start: 8, end: 1_000 }, '89'],
    ['nothing is read', 0, { start: 10 }, ''],
  ])('holds if %s', async (_when, limit, range, expected) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    expect(await boundary.readText('digits', { ...range, limit })).toBe(expected);
  });

  test.each([
    ['file', 9, {}],
    ['range', 2, { start: 2, end: 5 }],
    ['rest of the file', 1, { start: 8 }],
  ])('refuses a %s that is larger', async (_what, limit, range) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    await expect(boundary.readBytes('digits', { ...range, limit })).rejects.toMatchObject({
      code: 'TOO_LARGE',
      data: { verb: 'read', path: 'digits', limit },
    });
  });

  test.runIf(onLinux)('is counted while reading, if the system reports a size of 0', async () => {
    await using boundary = await openBoundary('/proc/self');
    expect((await boundary.stat('mountinfo')).size).toBe(0);
    const whole = await boundary.readBytes('mountinfo');
    expect(whole.length).toBeGreaterThan(0);
    expect(await boundary.readBytes('mountinfo', { limit: whole.length })).toEqual(whole);
    await expect(boundary.readBytes('mountinfo', { limit: whole.length - 1 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(await boundary.readBytes('mountinfo', { start: 1, end: 4 })).toEqual(whole.subarray(1, 4));
  });

  test('also holds for lines', async () => {
    using tree = tempTree(['lines = 1\n22\n333\n']);
    await using boundary = await openBoundary(tree.path);
    expect(await boundary.readText('lines', { head: 2, limit: 5 })).toBe('1\n22\n');
    expect(await boundary.readText('lines', { tail: 1, limit: 4 })).toBe('333\n');
    for (const lines of [{ head: 2 }, { tail: 2 }]) {
      await expect(boundary.readText('lines', { ...lines, limit: 4 })).rejects.toMatchObject({
        code: 'TOO_LARGE',
      });
    }
  });
});

describe('text', () => {
  test('keeps a byte order mark, and replaces invalid UTF-8', async () => {
    using tree = tempTree();
    writeFileSync(tree.at('bom'), '\uFEFFx');
    writeFileSync(tree.at('odd'), Buffer.from([0x61, 0xff, 0x62]));
    await using boundary = await openBoundary(tree.path);
    expect(await boundary.readText('bom')).toBe('\uFEFFx');
    expect(await boundary.readText('odd')).toBe('a\uFFFDb');
  });

  test('returns the first or the last lines', async () => {
    using tree = tempTree(['lines = 1\n2\n3\n']);
    await using boundary = await openBoundary(tree.path);
    expect(await boundary.readText('lines', { head: 2 })).toBe('1\n2\n');
    expect(await boundary.readText('lines', { tail: 2 })).toBe('2\n3\n');
    expect(await boundary.readText('lines', { head: 0 })).toBe('');
    expect(await boundary.readText('lines', { tail: 0 })).toBe('');
  });

  test.each([{ head: 1, tail: 1 }, { head: -1 }, { tail: 1.5 }, { head: Number.NaN }, { tail: Infinity }])(
    'with %j is refused',
    async (options) => {
      using tree = tempTree(digits);
      await using boundary = await openBoundary(tree.path);
      await expect(boundary.readText('digits', options)).rejects.toMatchObject({ code: 'INVALID_RANGE' });
    },
  );
});

describe('a read that is aborted', () => {
  test.each([{}, { head: 1 }, { tail: 1 }])('with %j fails with the reason', async (options) => {
    using tree = tempTree(digits);
    await using boundary = await openBoundary(tree.path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(boundary.readText('digits', { ...options, signal })).rejects.toThrow('enough');
    expect(openHandles(tree.path)).toHaveLength(onLinux ? 1 : 0);
  });

  test('ends between two chunks', async () => {
    using tree = tempTree();
    writeFileSync(tree.at('large'), Buffer.alloc(1024 * 1024));
    await using boundary = await openBoundary(tree.path);
    const controller = new AbortController();
    const reading = boundary.readText('large', { head: 1, signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a stream', () => {
  test('keeps the boundary open until it has ended', async () => {
    using tree = tempTree(digits);
    const boundary = await openBoundary(tree.path);
    const stream = await boundary.readStream('digits');
    let isClosed = false;
    const closed = boundary.close().then(() => (isClosed = true));
    await expect(boundary.readText('digits')).rejects.toMatchObject({ code: 'CLOSED' });
    expect(isClosed).toBe(false);
    expect(await text(stream)).toBe('0123456789');
    await closed;
    expect(openHandles(tree.path)).toEqual([]);
  });

  test.each([{}, { start: 3, end: 3 }])('releases the boundary when it is destroyed (%j)', async (range) => {
    using tree = tempTree(digits);
    const boundary = await openBoundary(tree.path);
    const stream = await boundary.readStream('digits', range);
    stream.destroy();
    await boundary.close();
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('of an unreadable file is refused at once, and holds nothing', async () => {
    using tree = tempTree(['d/', 'pipe|']);
    const boundary = await openBoundary(tree.path);
    await expect(boundary.readStream('d')).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
    await expect(boundary.readStream('pipe')).rejects.toMatchObject({ code: 'SPECIAL_FILE' });
    await boundary.close();
    expect(openHandles(tree.path)).toEqual([]);
  });
});

test('calls the guard with read', async () => {
  using tree = tempTree(digits);
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path, { guard: (operation) => void asked.push(operation) });
  await boundary.readText('digits');
  await text(await boundary.readStream('digits'));
  expect(asked).toEqual(['read', 'read']);
});

test('an empty stream does not keep its boundary open', async () => {
  using tree = tempTree(['f']);
  const boundary = await openBoundary(tree.path);
  await boundary.readStream('f', { start: 0, end: 0 });
  await boundary.close();
  await expect(boundary.stat('f')).rejects.toMatchObject({ code: 'CLOSED' });
});

test('a call may lower the limit of the boundary, not raise it', async () => {
  using tree = tempTree(['f = 0123456789']);
  await using boundary = await openBoundary(tree.path, { limits: { fileSize: 5 } });
  await expect(boundary.readBytes('f', { limit: 100 })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    data: { limit: 5 },
  });
  await expect(boundary.readBytes('f', { start: 0, end: 5, limit: 2 })).rejects.toMatchObject({
    data: { limit: 2 },
  });
});
