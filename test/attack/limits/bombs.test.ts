import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Boundary, compileGlobs, openBoundary, type WalkOptions } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { measure } from '../../support/processes/measure.ts';
import { attackScale } from '../../support/race/seed.ts';

const megabyte = 1024 * 1024;
const gigabyte = 1024 * megabyte;

/** Milliseconds that an operation may hold the process; on a slow machine too. */
const stretch = 250;

/** For what is refused without work, on a machine that is busy with something else. */
const atOnce = 2_000;

// Windows would write five gigabytes of zeros.
describe.runIf(process.platform !== 'win32')('a sparse file of 5 GB', () => {
  const size = 5 * gigabyte;

  function sparse(): ReturnType<typeof tempTree> {
    const tree = tempTree(['big = first\nsecond\n']);
    truncateSync(tree.at('big'), size);
    appendFileSync(tree.at('big'), '\nlast but one\nlast\n');
    return tree;
  }

  test.each(['readText', 'readBytes'] as const)('is refused by %s at once', async (method) => {
    using tree = sparse();
    await using boundary = await openBoundary(tree.path);
    const { milliseconds, growth } = await measure(() =>
      expect(boundary[method]('big')).rejects.toMatchObject({
        code: 'TOO_LARGE',
        data: { limit: 64 * megabyte },
      }),
    );
    expect(milliseconds).toBeLessThan(atOnce);
    // Less than the limit: nothing was read to find out.
    expect(growth).toBeLessThan(32 * megabyte);
  });

  test('gives its first and its last lines, and ranges, with little memory', async () => {
    using tree = sparse();
    await using boundary = await openBoundary(tree.path);
    const { result, growth } = await measure(async () => ({
      head: await boundary.readText('big', { head: 2 }),
      tail: await boundary.readText('big', { tail: 2 }),
      start: String(await boundary.readBytes('big', { end: 5 })),
      middle: (await boundary.readBytes('big', { start: 3 * gigabyte, end: 3 * gigabyte + 9 })).length,
      end: await boundary.readText('big', { start: size + 1 }),
    }));
    expect(result).toEqual({
      head: 'first\nsecond\n',
      tail: 'last but one\nlast\n',
      start: 'first',
      middle: 9,
      end: 'last but one\nlast\n',
    });
    expect(growth).toBeLessThan(200 * megabyte);
  });

  test('is one line of 5 GB in its middle: more lines than that are too large, not read', async () => {
    using tree = sparse();
    await using boundary = await openBoundary(tree.path);
    for (const lines of [{ head: 3 }, { tail: 3 }]) {
      const { growth } = await measure(() =>
        expect(boundary.readText('big', lines)).rejects.toMatchObject({ code: 'TOO_LARGE' }),
      );
      // As much as the limit allows, twice: in parts, and joined.
      expect(growth).toBeLessThan(300 * megabyte);
    }
  });

  test('is streamed in part without the rest', async () => {
    using tree = sparse();
    await using boundary = await openBoundary(tree.path);
    const stream = await boundary.readStream('big', { start: 4 * gigabyte });
    const { result, growth } = await measure(async () => {
      let count = 0;
      for await (const chunk of stream) {
        count += (chunk as Buffer).length;
        if (count > 32 * megabyte) break;
      }
      return count;
    });
    expect(result).toBeLessThan(33 * megabyte);
    expect(growth).toBeLessThan(200 * megabyte);
  });
});

describe('a file that is larger than it says', () => {
  test.runIf(process.platform === 'linux')('is cut off where the limit is, in /proc', async () => {
    await using boundary = await openBoundary('/proc/self');
    expect((await boundary.stat('mountinfo')).size).toBe(0);
    const { length } = readFileSync('/proc/self/mountinfo');
    expect((await boundary.readBytes('mountinfo')).length).toBe(length);
    await expect(boundary.readBytes('mountinfo', { limit: length - 1 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });

  test('is cut off while it grows', async () => {
    // More than is read at once.
    using tree = tempTree([`growing = ${'x'.repeat(20_000)}`]);
    await using boundary = await openBoundary(tree.path);
    const fd = openSync(tree.at('growing'), constants.O_WRONLY | constants.O_APPEND);
    try {
      // Its size is looked at before the first byte is read: what is added now counts while reading.
      const read = boundary.readBytes('growing', { limit: megabyte });
      for (let part = 0; part < 4; part += 1) writeSync(fd, Buffer.alloc(megabyte));
      await expect(read).rejects.toMatchObject({ code: 'TOO_LARGE', data: { limit: megabyte } });
    } finally {
      closeSync(fd);
    }
  });
});

// A million in `npm run attack`. An eighth of that is more than every limit, and costs an eighth.
const many = attackScale > 1 ? 1_000_000 : 120_000;

describe.runIf(process.platform === 'linux')(`a directory with ${many.toLocaleString('en')} entries`, () => {
  const state: { path?: string; boundary?: Boundary } = {};

  beforeAll(async () => {
    // In memory where that is possible: on a disk it takes more than twice as long.
    const path = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rootward-test-'));
    state.path = path;
    mkdirSync(join(path, 'many'));
    fill(path, 'many', many);
    state.boundary = await openBoundary(path);
  }, 120_000);

  afterAll(async () => {
    await state.boundary?.close();
    if (state.path !== undefined) execFileSync('rm', ['-rf', state.path]);
  }, 120_000);

  function opened(): Boundary {
    if (state.boundary === undefined) throw new Error('there is no boundary');
    return state.boundary;
  }

  test('is listed up to the limit', async () => {
    const { result, longestStretch, growth } = await measure(() => opened().list('many', { limit: 1_000 }));
    expect(result.truncated).toBe(true);
    expect(result.entries.length).toBe(1_000);
    expect(longestStretch).toBeLessThan(stretch);
    expect(growth).toBeLessThan(100 * megabyte);
  });

  test('is listed up to a default limit', async () => {
    const { result, longestStretch, growth } = await measure(() => opened().list('many'));
    expect(result.truncated).toBe(true);
    expect(result.entries.length).toBe(100_000);
    expect(longestStretch).toBeLessThan(stretch);
    expect(growth).toBeLessThan(300 * megabyte);
  });

  test('is listed as a whole where the boundary allows it, without holding the process', async () => {
    await using roomy = await openBoundary(state.path ?? '', { limits: { listEntries: 2 * many } });
    const { result, longestStretch } = await measure(() => roomy.list('many'));
    expect(result.truncated).toBe(false);
    expect(result.entries.length).toBe(many);
    // Sorting all names is one stretch.
    expect(longestStretch).toBeLessThan(8 * stretch);
  });

  test('is walked up to the limit', async () => {
    const { result, longestStretch, growth } = await measure(() => walkAll(opened(), { entries: 5_000 }));
    expect(result).toEqual({ seen: 5_000, stopped: 'entries' });
    expect(longestStretch).toBeLessThan(stretch);
    expect(growth).toBeLessThan(100 * megabyte);
  });

  test('is walked as a whole in parts', async () => {
    const { result, longestStretch, growth } = await measure(() => walkAll(opened(), { entries: 2 * many }));
    // The directory itself, and the file that all its entries are names of.
    expect(result.seen).toBeGreaterThan(many);
    expect(result.stopped).toBe(undefined);
    expect(longestStretch).toBeLessThan(stretch);
    expect(growth).toBeLessThan(300 * megabyte);
  });

  test('is left by a walk or a list that is aborted', async () => {
    const { result, milliseconds } = await measure(async () => {
      const aborted = (): AbortSignal => AbortSignal.timeout(20);
      return Promise.allSettled([
        walkAll(opened(), { signal: aborted() }),
        opened().list('many', { limit: 2 * many, signal: aborted() }),
      ]);
    });
    expect(result.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(milliseconds).toBeLessThan(atOnce);
  });

  test('is removed as a tree without holding the process', { timeout: 60_000 }, async () => {
    const boundary = opened();
    await boundary.makeDirectory('doomed');
    fill(state.path ?? '', 'doomed', attackScale > 1 ? 100_000 : 30_000);
    const { longestStretch, growth } = await measure(() => boundary.remove('doomed', { tree: true }));
    await expect(boundary.stat('doomed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(longestStretch).toBeLessThan(stretch);
    expect(growth).toBeLessThan(100 * megabyte);
  });
});

/** Names of one file, because that is faster than as many files; of a few, because ext4 counts to 65,000. */
function fill(path: string, directory: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const file = join(path, `file${Math.floor(number / 50_000)}`);
    if (number % 50_000 === 0) writeFileSync(file, '');
    linkSync(file, join(path, directory, `entry-${number}`));
  }
}

interface Walked {
  readonly seen: number;
  readonly stopped: string | undefined;
}

async function walkAll(boundary: Boundary, options: WalkOptions): Promise<Walked> {
  const walk = boundary.walk('.', options);
  let seen = 0;
  for await (const batch of walk.batches()) seen += batch.length;
  return { seen, stopped: walk.stopped };
}

describe('a glob that explodes', () => {
  const bombs = {
    'braces that stand for millions': '{a,b}'.repeat(22),
    'braces within braces': `${'{a,'.repeat(40)}b${'}'.repeat(40)}`.repeat(4),
    'a range of numbers': '{1..100000000}',
    'ranges that multiply': '{1..100}'.repeat(6),
    'many globstars': '**/'.repeat(200) + 'x',
    'globstars in one name': '**a'.repeat(100),
    'extended globs within each other': `${'+('.repeat(20)}a${')'.repeat(20)}b`,
    'a pattern of a megabyte': 'a'.repeat(megabyte),
  };

  test.each(Object.entries(bombs))('made of %s is refused at once', async (_name, bomb) => {
    using tree = tempTree([`${'a'.repeat(60)}/${'a'.repeat(60)}/${'b'.repeat(60)}`]);
    await using boundary = await openBoundary(tree.path);
    const { milliseconds, growth } = await measure(async () => {
      for (const ask of [
        () => boundary.walk('.', { ignore: [bomb] }),
        () => boundary.watch('.', { ignore: [bomb] }),
      ])
        expect(ask).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
    });
    expect(milliseconds).toBeLessThan(atOnce);
    expect(growth).toBeLessThan(100 * megabyte);
  });

  test('is refused for being one of too many', () => {
    const patterns = Array.from({ length: 2_001 }, (_, number) => `*.${number}`);
    expect(() => compileGlobs(patterns)).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
  });

  test('is matched quickly if it is as bad as is allowed', async () => {
    using tree = tempTree([`${'a/'.repeat(60)}${'ab'.repeat(100)}`]);
    await using boundary = await openBoundary(tree.path);
    const worst = [
      'a*'.repeat(500) + 'c',
      `${'**/a*/'.repeat(8)}c`,
      `${'*a'.repeat(60)}${'{x,y}'.repeat(8)}`,
    ];
    const { milliseconds } = await measure(async () => {
      for (const pattern of worst) await walkAll(boundary, { ignore: [pattern] });
    });
    expect(milliseconds).toBeLessThan(10_000);
  });

  test('is left out of a .gitignore', async () => {
    using tree = tempTree([`${'a/'.repeat(30)}${'a'.repeat(200)}`]);
    const rules = [
      '**/'.repeat(60) + 'x',
      `${'a*'.repeat(120)}b`,
      `${'[a-z]*'.repeat(40)}0`,
      ...Array.from({ length: 5_000 }, (_, number) => `**/a*a*a*${number}`),
    ];
    writeFileSync(tree.at('.gitignore'), rules.join('\n'));
    await using boundary = await openBoundary(tree.path);
    const { milliseconds } = await measure(() => walkAll(boundary, { gitignore: true }));
    expect(milliseconds).toBeLessThan(10_000);
  });
});

describe.runIf(process.platform === 'linux')('a tree that is 5,000 directories deep', () => {
  const depth = 5_000;
  const down = (levels: number): string => Array<string>(levels).fill('d').join('/');
  const bottom = down(depth);
  const state: { path?: string; boundary?: Boundary } = {};

  beforeAll(async () => {
    const path = mkdtempSync(join(tmpdir(), 'rootward-test-'));
    state.path = path;
    state.boundary = await openBoundary(path);
    await state.boundary.makeDirectory(bottom, { parents: true });
  }, 60_000);

  afterAll(async () => {
    await state.boundary?.close();
    if (state.path !== undefined) execFileSync('rm', ['-rf', state.path]);
  }, 60_000);

  function opened(): Boundary {
    if (state.boundary === undefined) throw new Error('there is no boundary');
    return state.boundary;
  }

  test('is out of reach for plain paths', () => {
    expect(() => readFileSync(`${state.path}/${bottom}/file`)).toThrow('ENAMETOOLONG');
  });

  test('is read and written at its bottom', async () => {
    const boundary = opened();
    const { longestStretch } = await measure(async () => {
      await boundary.write(`${bottom}/file`, 'deep');
      await boundary.append(`${bottom}/file`, 'er');
      expect(await boundary.readText(`${bottom}/file`)).toBe('deeper');
      expect(await boundary.list(bottom)).toMatchObject({ entries: [{ name: 'file' }] });
      await boundary.rename(`${bottom}/file`, 'up');
      await boundary.copy('up', `${bottom}/file`);
      await boundary.remove(`${bottom}/file`);
      await boundary.remove('up');
    });
    // Each is one path of 5,000 names, resolved in one go.
    expect(longestStretch).toBeLessThan(4 * stretch);
  });

  test('is walked as deep as is allowed', async () => {
    expect(await walkAll(opened(), { depth: 100 })).toEqual({ seen: 101, stopped: 'depth' });
    expect(await walkAll(opened(), {})).toEqual({ seen: 129, stopped: 'depth' });
  });

  test('is gone up from with more names than a path can have, up to a limit', async () => {
    const { milliseconds } = await measure(() =>
      expect(opened().stat(`${bottom}${'/..'.repeat(5_000)}`)).rejects.toMatchObject({
        code: 'NAME_TOO_LONG',
      }),
    );
    expect(milliseconds).toBeLessThan(5 * atOnce);
  });

  test('is refused with more names than the limit', async () => {
    await expect(opened().stat(down(20_000))).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });

  test('is not removed in one go, and is removed from below', { timeout: 60_000 }, async () => {
    const boundary = opened();
    const top = 'other/tree';
    await boundary.makeDirectory(`${top}/${bottom}`, { parents: true });
    await expect(boundary.remove(top, { tree: true })).rejects.toMatchObject({ code: 'NAME_TOO_LONG' });
    expect(await boundary.stat(`${top}/${bottom}`)).toMatchObject({ kind: 'directory' });
    for (let left = depth - 500; left > 0; left -= 500)
      await boundary.remove(`${top}/${down(left)}`, { tree: true });
    await boundary.remove('other', { tree: true });
    await expect(boundary.stat('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
