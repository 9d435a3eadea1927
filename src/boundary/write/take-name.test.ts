import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import type { Driver } from '../system/driver.ts';
import { createPathDriver } from '../system/path-driver.ts';
import { requireFree, takeName } from './take-name.ts';

const driver = createPathDriver({ level: 'verified', noFollow: 0 });

describe('takeName', () => {
  test('moves a file to a free name', () => {
    using tree = tempTree(['a = x']);
    const parent = driver.openTop(tree.path);
    takeName({ driver, parent, name: 'a' }, { driver, parent, name: 'b' });
    driver.close(parent);
    expect(readFileSync(tree.at('b'), 'utf8')).toBe('x');
    expect(existsSync(tree.at('a'))).toBe(false);
  });

  test('leaves a name that is taken, and the file where it was', () => {
    using tree = tempTree(['a = x', 'b = y']);
    const parent = driver.openTop(tree.path);
    const take = (): void => takeName({ driver, parent, name: 'a' }, { driver, parent, name: 'b' });
    expect(take).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    driver.close(parent);
    expect(readFileSync(tree.at('a'), 'utf8')).toBe('x');
    expect(readFileSync(tree.at('b'), 'utf8')).toBe('y');
  });

  /** The first path that is asked for cannot be linked; as on a file system without second names. */
  function withoutLinks(): Driver {
    let first = true;
    return {
      ...driver,
      at(parent, name) {
        if (!first) return driver.at(parent, name);
        first = false;
        throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
      },
    };
  }

  test('moves it even where files have one name only', () => {
    using tree = tempTree(['a = x', 'taken']);
    const parent = driver.openTop(tree.path);
    takeName({ driver: withoutLinks(), parent, name: 'a' }, { driver, parent, name: 'b' });
    expect(readFileSync(tree.at('b'), 'utf8')).toBe('x');
    const again = (): void =>
      takeName({ driver: withoutLinks(), parent, name: 'b' }, { driver, parent, name: 'taken' });
    expect(again).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    driver.close(parent);
  });
});

test('requireFree sees a dangling link', () => {
  using tree = tempTree(['l => gone']);
  const parent = driver.openTop(tree.path);
  expect(() => requireFree({ driver, parent, name: 'l' })).toThrow(
    expect.objectContaining({ code: 'EEXIST' }),
  );
  expect(() => requireFree({ driver, parent, name: 'free' })).not.toThrow();
  driver.close(parent);
});
