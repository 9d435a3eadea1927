import { chmodSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { settledVersion } from './settled-version.ts';

const later = (): number => Date.now() + 60_000;

describe('the version of a file', () => {
  test('stays the same while nobody touches it', async () => {
    using tree = tempTree(['f = text']);
    const version = await settledVersion(tree.at('f'), later);
    expect(version).toMatch(/\d/);
    expect(await settledVersion(tree.at('f'), later)).toBe(version);
  });

  test.each([
    ['writes over it', (path: string) => writeFileSync(path, 'TEXT')],
    [
      'puts another in its place',
      (path: string) => {
        writeFileSync(`${path}~`, 'TEXT');
        renameSync(`${path}~`, path);
      },
    ],
    [
      'sets its time back afterwards',
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, 'TEXT');
        utimesSync(path, atime, mtime);
      },
    ],
    ['changes its mode', (path: string) => chmodSync(path, 0o600)],
  ])('is another when somebody %s', async (_what, change) => {
    using tree = tempTree(['f = text']);
    const version = await settledVersion(tree.at('f'), later);
    const { ctimeNs } = statSync(tree.at('f'), { bigint: true });
    // Its clock has to have ticked, which is why a fresh file has no version.
    do change(tree.at('f'));
    while (statSync(tree.at('f'), { bigint: true }).ctimeNs === ctimeNs);
    expect(await settledVersion(tree.at('f'), later)).not.toBe(version);
  });

  test('is not known while it is fresh, in the future, or gone', async () => {
    using tree = tempTree(['f = text']);
    expect(await settledVersion(tree.at('f'))).toBeUndefined();
    expect(await settledVersion(tree.at('f'), () => 0)).toBeUndefined();
    expect(await settledVersion(tree.at('none'), later)).toBeUndefined();
  });
});
