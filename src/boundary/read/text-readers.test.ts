import { closeSync, constants, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { createTextReaders, type ThreadRequest } from './text-readers.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Asks for names in the directory of a handle. */
function request(fd: number, ...names: readonly string[]): ThreadRequest {
  const places = [{ prefix: '', fd, names: names.join('/') }];
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  return { places, from: 0, limit: 1_000, oneName: false, handles: '/proc/self/fd', flags };
}

describe.runIf(process.platform === 'linux')('threads', () => {
  test('read by the handles of the process, follow no link and do not block on a FIFO', async () => {
    using tree = tempTree(['app/a = one', 'app/b = two', 'app/link => ../out', 'out = secret', 'app/pipe|']);
    const fd = openSync(tree.at('app'), O_RDONLY);
    const readers = createTextReaders(2);
    try {
      const names = ['a', 'link', 'pipe', 'b'];
      const parts = await Promise.all(Array.from({ length: 5 }, () => readers.read(request(fd, ...names))));
      for (const { bytes, texts } of parts) {
        expect(Buffer.from(bytes).toString()).toBe('onetwo');
        expect(texts).toEqual([0, 0, 3, 3, 3, 6]);
      }
    } finally {
      closeSync(fd);
      await readers.close();
    }
  });

  test('start again after they were ended', async () => {
    using tree = tempTree(['a = one']);
    const fd = openSync(tree.path, O_RDONLY);
    const readers = createTextReaders(1);
    try {
      await readers.read(request(fd, 'a'));
      await readers.close();
      expect((await readers.read(request(fd, 'a'))).bytes.byteLength).toBe(3);
    } finally {
      closeSync(fd);
      await readers.close();
    }
  });

  test('a thread that ends fails its requests, and others replace it', async () => {
    using tree = tempTree(['a = one']);
    const fd = openSync(tree.path, O_RDONLY);
    const readers = createTextReaders(1);
    try {
      const bad = { ...request(fd, 'a'), places: undefined } as unknown as ThreadRequest;
      await expect(readers.read(bad)).rejects.toThrow('iterable');
      expect((await readers.read(request(fd, 'a'))).bytes.byteLength).toBe(3);
    } finally {
      closeSync(fd);
      await readers.close();
    }
  });
});
