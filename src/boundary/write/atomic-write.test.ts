import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { listTree } from '../../../test/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { placeFile } from './atomic-write.ts';
import type { Request } from '../step/context.ts';

function ask(path: string): Request {
  return { operation: 'write', verb: 'write', path };
}

async function fill(fd: number): Promise<void> {
  writeSync(fd, 'new');
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o7777;
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['a new file', {}],
    ['a new file that must be new', { exclusive: true }],
    ['a new file on the disk', { flush: true }],
    ['a new file that must be new on the disk', { exclusive: true, flush: true }],
  ])('puts %s in place and leaves nothing else', async (_what, options) => {
    using tree = tempTree(['d/']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    await placeFile(context, ask('d/f'), fill, options);
    expect(readFileSync(tree.at('d', 'f'), 'utf8')).toBe('new');
    expect(readdirSync(tree.at('d'))).toEqual(['f']);
    expect(lstatSync(tree.at('d', 'f')).nlink).toBe(1);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('replaces a file as a whole: a second name and an open reader keep the old one', async () => {
    using tree = tempTree(['f = old']);
    linkSync(tree.at('f'), tree.at('second'));
    using context = openContext(tree.path, { driver });
    await placeFile(context, ask('f'), async (fd) => {
      writeSync(fd, 'half');
      expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
      writeSync(fd, ' and half');
    });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('half and half');
    expect(readFileSync(tree.at('second'), 'utf8')).toBe('old');
  });

  test('replaces what a link leads to, and the link stays', async () => {
    using tree = tempTree(['d/f = old', 'link => d/f', 'chain => link']);
    using context = openContext(tree.path, { driver });
    await placeFile(context, ask('chain'), fill);
    expect(readFileSync(tree.at('d', 'f'), 'utf8')).toBe('new');
    expect(readlinkSync(tree.at('link'))).toBe('d/f');
    expect(readdirSync(tree.path)).toEqual(['chain', 'd', 'link']);
  });

  test('makes what a dangling link leads to', async () => {
    using tree = tempTree(['d/', 'link => d/new']);
    using context = openContext(tree.path, { driver });
    await placeFile(context, ask('link'), fill);
    expect(readFileSync(tree.at('d', 'new'), 'utf8')).toBe('new');
  });

  test('leaves everything as it was if filling fails', async () => {
    using tree = tempTree(['f = old']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    for (const path of ['f', 'g']) {
      const failing = placeFile(context, ask(path), async (fd) => {
        await fill(fd);
        throw new Error('mine');
      });
      await expect(failing).rejects.toThrow('mine');
    }
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(tree.path)).toEqual(['f']);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test.each([
    ['.', 'IS_ROOT'],
    ['d', 'IS_A_DIRECTORY'],
    ['d/', 'IS_A_DIRECTORY'],
    ['new/', 'NOT_A_DIRECTORY'],
    ['f/', 'NOT_A_DIRECTORY'],
    ['f/x', 'NOT_A_DIRECTORY'],
    ['missing/x', 'NOT_FOUND'],
    ['pipe', 'SPECIAL_FILE'],
    ['out', 'OUTSIDE_ROOTS'],
    ['loop', 'TOO_MANY_LINKS'],
  ])('refuses %s with %s, and nothing changes', async (path, code) => {
    using tree = tempTree(['ROOT/d/', 'ROOT/f', 'ROOT/pipe|', 'ROOT/out => ../new', 'ROOT/loop => loop']);
    using context = openContext(tree.at('ROOT'), { driver });
    const before = openHandles(tree.path);
    const content = listTree(tree.path);
    await expect(placeFile(context, ask(path), fill)).rejects.toMatchObject({ code });
    expect(listTree(tree.path)).toEqual(content);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('what must be new', () => {
  test.each(['f', 'd', 'to-f', 'pipe'])('is refused where %s is', async (path) => {
    using tree = tempTree(['f = old', 'd/', 'to-f => f', 'pipe|']);
    using context = openContext(tree.path);
    await expect(placeFile(context, ask(path), fill, { exclusive: true })).rejects.toMatchObject({
      code: expect.stringMatching(/ALREADY_EXISTS|IS_A_DIRECTORY|SPECIAL_FILE/),
    });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
  });

  test('does not replace what came while it was filled', async () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    const placing = placeFile(
      context,
      ask('f'),
      async () => {
        writeFileSync(tree.at('f'), 'theirs');
      },
      { exclusive: true },
    );
    await expect(placing).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('theirs');
    expect(readdirSync(tree.path)).toEqual(['f']);
  });
});

describe('the mode', () => {
  test.each([0o600, 0o644, 0o755, 0o444])('of a file that is replaced stays: %o', async (mode) => {
    using tree = tempTree(['f']);
    chmodSync(tree.at('f'), mode);
    using context = openContext(tree.path);
    await placeFile(context, ask('f'), fill, { mode: 0o777 });
    expect(modeOf(tree.at('f'))).toBe(mode);
  });

  test('does not keep the right to become somebody else', async () => {
    using tree = tempTree(['f']);
    chmodSync(tree.at('f'), 0o4755);
    using context = openContext(tree.path);
    await placeFile(context, ask('f'), fill);
    expect(modeOf(tree.at('f'))).toBe(0o755);
  });

  test('is private while a file is replaced', async () => {
    using tree = tempTree(['f']);
    chmodSync(tree.at('f'), 0o600);
    using context = openContext(tree.path);
    await placeFile(context, ask('f'), async (_fd, temporary) => {
      expect(modeOf(tree.at(temporary))).toBe(0o600);
    });
  });

  test.each([
    [undefined, 0o640],
    [0o600, 0o600],
    [0o777, 0o750],
  ])('of a new file (%o) obeys the umask', async (mode, expected) => {
    using tree = tempTree();
    using context = openContext(tree.path);
    const before = process.umask(0o027);
    try {
      await placeFile(context, ask('f'), fill, mode === undefined ? {} : { mode });
    } finally {
      process.umask(before);
    }
    expect(modeOf(tree.at('f'))).toBe(expected);
  });

  test.each([0o4755, 0o2755, 0o1777, -1, 1.5])('%o is not for callers to give', async (mode) => {
    using tree = tempTree();
    using context = openContext(tree.path);
    await expect(placeFile(context, ask('f'), fill, { mode })).rejects.toMatchObject({
      code: 'INVALID_MODE',
    });
    expect(readdirSync(tree.path)).toEqual([]);
  });
});

test('a file with a second name is replaced only where hard links are allowed', async () => {
  using tree = tempTree(['f = old']);
  linkSync(tree.at('f'), tree.at('second'));
  using context = openContext(tree.path, { hardLinks: 'refuse' });
  await expect(placeFile(context, ask('f'), fill)).rejects.toMatchObject({ code: 'HARD_LINK' });
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
});

test.runIf(process.platform === 'linux')(
  'stays in a directory that is moved while it is filled',
  async () => {
    using tree = tempTree(['ROOT/d/', 'elsewhere/']);
    using context = openContext(tree.at('ROOT'));
    await placeFile(context, ask('d/f'), async (fd) => {
      renameSync(tree.at('ROOT', 'd'), tree.at('ROOT', 'moved'));
      tree.add('ROOT/d => ../elsewhere');
      await fill(fd);
    });
    expect(readFileSync(tree.at('ROOT', 'moved', 'f'), 'utf8')).toBe('new');
    expect(readdirSync(tree.at('elsewhere'))).toEqual([]);
  },
);
