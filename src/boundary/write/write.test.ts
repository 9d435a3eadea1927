import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';
import type { BoundaryRequest } from '../step/context.ts';
import { procDriver } from '../system/proc-driver.ts';
import { placeFile, requireSeen, seeFile } from './write.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['text', 'grüße', Buffer.from('grüße')],
    ['bytes', new Uint8Array([0, 255, 1]), Buffer.from([0, 255, 1])],
    ['nothing', '', Buffer.from('')],
  ])('writes %s to a new file and over an old one', async (_what, data, expected) => {
    using tree = tempTree(['old = something longer']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.write('new', data);
    await boundary.write('old', data);
    expect(readFileSync(tree.at('new'))).toEqual(expected);
    expect(readFileSync(tree.at('old'))).toEqual(expected);
    expect(readdirSync(tree.path)).toEqual(['new', 'old']);
  });

  test('makes missing directories on request', async () => {
    using tree = tempTree();
    await using boundary = openWith(driver, tree.path, {});
    await expect(boundary.write('a/b/f', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(existsSync(tree.at('a'))).toBe(false);
    await boundary.write('a/b/f', 'x', { parents: true });
    expect(readFileSync(tree.at('a', 'b', 'f'), 'utf8')).toBe('x');
  });

  test('flushes data and name on request', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.write('f', 'new', { flush: true });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('new');
  });
});

test('does not replace a file in exclusive mode', async () => {
  using tree = tempTree(['f = old']);
  await using boundary = await openBoundary(tree.path);
  await expect(boundary.write('f', 'new', { exclusive: true })).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
    message: 'Cannot write "f": it already exists',
  });
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
});

describe('a write that is aborted', () => {
  test('before it begins touches nothing', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = await openBoundary(tree.path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(boundary.write('new/f', 'x', { signal, parents: true })).rejects.toThrow('enough');
    expect(readdirSync(tree.path)).toEqual(['f']);
  });

  test('in its middle leaves the old content and no other file', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = await openBoundary(tree.path);
    const before = openHandles(tree.path);
    const controller = new AbortController();
    const writing = boundary.write('f', Buffer.alloc(16 * 1024 * 1024), { signal: controller.signal });
    controller.abort();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(tree.path)).toEqual(['f']);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('many writes at once leave one of them, whole', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await Promise.all(contents.map((content) => boundary.write('f', content)));
  expect(contents).toContain(readFileSync(tree.at('f'), 'utf8'));
  expect(readdirSync(tree.path)).toEqual(['f']);
});

test('calls the guard with write and the real name', async () => {
  using tree = tempTree(['d/', 'link => d/f']);
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path, {
    guard: (operation, relative, last) => void asked.push(`${operation} ${relative} ${last}`),
  });
  await boundary.write('link', 'x');
  expect(asked).toEqual(['write link true', 'write d false', 'write d/f true']);
});

test('asks for a confirmation last, and changes nothing without it', async () => {
  using tree = tempTree(['f = old']);
  await using boundary = await openBoundary(tree.path);
  const confirm = (): void => {
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
    throw new Error('it has changed meanwhile');
  };
  await expect(boundary.write('f', 'new', { confirm })).rejects.toThrow('it has changed meanwhile');
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
  expect(readdirSync(tree.path)).toEqual(['f']);
  await boundary.write('f', 'new', { confirm: () => {} });
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('new');
});

function ask(path: string): BoundaryRequest {
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

describe('exclusive mode', () => {
  test.each(['f', 'd', 'to-f', 'pipe'])('refuses where %s is', async (path) => {
    using tree = tempTree(['f = old', 'd/', 'to-f => f', 'pipe|']);
    using context = openContext(tree.path);
    await expect(placeFile(context, ask(path), fill, { exclusive: true })).rejects.toMatchObject({
      code: expect.stringMatching(/ALREADY_EXISTS|IS_A_DIRECTORY|SPECIAL_FILE/),
    });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
  });

  test('does not replace a file that appeared while it was filled', async () => {
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

  test('loses set-user-id and set-group-id bits', async () => {
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

  test.each([0o4755, 0o2755, 0o1777, -1, 1.5])('%o is refused', async (mode) => {
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

const changes = {
  'another file has its name': (path: string) => (
    writeFileSync(`${path}2`, 'A'),
    renameSync(`${path}2`, path)
  ),
  'nothing has its name': unlinkSync,
  'another program has written to it': (path: string) => appendFileSync(path, 'more'),
} as const;

test.runIf(process.platform === 'linux').each(Object.entries(changes))('detects that %s', (_what, change) => {
  using tree = tempTree(['a.txt = A']);
  const parent = procDriver.openTop(tree.path);
  const fd = openSync(tree.at('a.txt'), 'r');
  try {
    const seen = seeFile(fd);
    const place = { driver: procDriver, parent, name: 'a.txt' };
    expect(() => requireSeen(seen, place)).not.toThrow();
    change(tree.at('a.txt'));
    expect(() => requireSeen(seen, place)).toThrow('EBUSY');
  } finally {
    closeSync(fd);
    procDriver.close(parent);
  }
});
