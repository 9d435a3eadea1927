import { once } from 'node:events';
import { closeSync, constants, openSync, promises } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Boundary, openBoundary } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';

/** Everything that would open a file, or change what it is. */
const uses: Readonly<Record<string, (boundary: Boundary, path: string) => Promise<unknown>>> = {
  readText: (boundary, path) => boundary.readText(path),
  'readText of a head': (boundary, path) => boundary.readText(path, { head: 1 }),
  'readText of a tail': (boundary, path) => boundary.readText(path, { tail: 1 }),
  readBytes: (boundary, path) => boundary.readBytes(path),
  readStream: (boundary, path) => boundary.readStream(path),
  open: (boundary, path) => boundary.open(path),
  write: (boundary, path) => boundary.write(path, 'x'),
  append: (boundary, path) => boundary.append(path, 'x'),
  openLog: async (boundary, path) => boundary.openLog(path),
  'copy from it': (boundary, path) => boundary.copy(path, 'copy'),
  'copy onto it': (boundary, path) => boundary.copy('a.txt', path, { replace: true }),
  changeMode: (boundary, path) => boundary.changeMode(path, 0o777),
};

const useCases = Object.entries(uses);
const pipes = Array.from({ length: 8 }, (_, number) => `pipe${number}`);

/** Long for a refusal, short for a hang. */
const soon = 10_000;

describe.runIf(process.platform !== 'win32')('a FIFO', () => {
  test.each(useCases)('is refused by %s, also through a link', async (_name, use) => {
    using tree = tempTree(['a.txt', 'pipe|', 'link => pipe']);
    await using boundary = await openBoundary(tree.path);
    for (const path of ['pipe', 'link'])
      await expect(use(boundary, path)).rejects.toMatchObject({
        code: 'SPECIAL_FILE',
        data: { path, kind: 'FIFO' },
      });
  });

  test('can be seen, renamed and removed', async () => {
    using tree = tempTree(['pipe|']);
    await using boundary = await openBoundary(tree.path);
    expect(await boundary.stat('pipe')).toMatchObject({ kind: 'FIFO' });
    await boundary.rename('pipe', 'pipe2');
    expect((await boundary.list('.')).entries).toEqual([{ name: 'pipe2', kind: 'FIFO' }]);
    await boundary.remove('pipe2');
    expect((await boundary.list('.')).entries).toEqual([]);
  });

  test('delays no other read, even if eight are read at once', async () => {
    using tree = tempTree(['a.txt = content', ...pipes.map((pipe) => `${pipe}|`)]);
    await using boundary = await openBoundary(tree.path);
    const start = performance.now();
    const refused = pipes.map((pipe) => boundary.readText(pipe).catch((error: Error) => error.message));
    expect(await boundary.readText('a.txt')).toBe('content');
    expect(await Promise.all(refused)).toEqual(pipes.map((pipe) => `Cannot read "${pipe}": it is a FIFO`));
    expect(performance.now() - start).toBeLessThan(soon);
  });

  test('delays every other read of plain `node:fs`, if there are as many as threads', async () => {
    using tree = tempTree(['a.txt = content', ...pipes.map((pipe) => `${pipe}|`)]);
    const stuck = pipes.map((pipe) => promises.readFile(tree.at(pipe)));
    const other = promises.readFile(tree.at('a.txt'), 'utf8');
    try {
      // A wait for what does not happen can only be one for time.
      expect(await Promise.race([other, setTimeout(300, 'stuck')])).toBe('stuck');
    } finally {
      await release(
        pipes.map((pipe) => tree.at(pipe)),
        Promise.all(stuck),
      );
    }
    expect(await other).toBe('content');
  });

  test('is left alone as a .gitignore', async () => {
    using tree = tempTree(['.gitignore|', 'a.txt']);
    await using boundary = await openBoundary(tree.path);
    const paths: string[] = [];
    for await (const { path } of boundary.walk('.', { gitignore: true })) paths.push(path);
    expect(paths.toSorted()).toEqual(['.gitignore', 'a.txt']);
  });

  test('is no root', async () => {
    using tree = tempTree(['pipe|']);
    await expect(openBoundary(tree.at('pipe'))).rejects.toMatchObject({ code: 'SPECIAL_FILE' });
  });
});

describe.runIf(process.platform !== 'win32')('a socket', () => {
  test.each(useCases)('is refused by %s', async (_name, use) => {
    using tree = tempTree(['a.txt']);
    const server = createServer().listen(tree.at('socket'));
    await once(server, 'listening');
    try {
      await using boundary = await openBoundary(tree.path);
      await expect(use(boundary, 'socket')).rejects.toMatchObject({
        code: 'SPECIAL_FILE',
        data: { kind: 'socket' },
      });
      // And still serves.
      const client = connect(tree.at('socket'));
      await once(client, 'connect');
      client.destroy();
    } finally {
      server.close();
      await once(server, 'close');
    }
  });
});

const mayMakeDevices = canMakeDevices();
const skipped = mayMakeDevices ? '' : ' (skipped: making a device node is not permitted here)';

describe.runIf(mayMakeDevices)(`a device${skipped}`, () => {
  test.each(useCases)('is refused by %s', async (_name, use) => {
    using tree = tempTree(['a.txt', 'zero!']);
    await using boundary = await openBoundary(tree.path);
    // Without the guard there is no end to it.
    const fd = openSync(tree.at('zero'), constants.O_RDONLY);
    closeSync(fd);
    await expect(use(boundary, 'zero')).rejects.toMatchObject({
      code: 'SPECIAL_FILE',
      data: { kind: 'device' },
    });
  });
});

/** A writer that comes and goes ends a read with nothing; reads that wait for a thread need it again. */
async function release(paths: readonly string[], reads: Promise<unknown>): Promise<void> {
  const turn = async (): Promise<'again'> => {
    for (const path of paths) closeSync(openSync(path, constants.O_RDWR));
    await setImmediate();
    return 'again';
  };
  while ((await Promise.race([reads, turn()])) === 'again');
}

/** Making one needs root, and a file system that is not mounted with `nodev`. */
function canMakeDevices(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    using tree = tempTree(['zero!']);
    closeSync(openSync(tree.at('zero'), constants.O_RDONLY));
    return true;
  } catch {
    return false;
  }
}
