import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../test/boundary-context.ts';
import { openHandles } from '../../test/open-handles.ts';
import { tempTree } from '../testing/temp-tree.ts';
import type { BoundaryContext, Request } from './context.ts';
import { leap } from './leap.ts';

const request: Request = { operation: 'read', verb: 'read', path: 'a/b/c/d.txt' };

/** Where it arrives, if it leaps. */
function land(context: BoundaryContext, way: string): string | undefined {
  const directory = leap(context, request, way.split('/'));
  if (directory === undefined) return undefined;
  const path = context.driver.realPath(directory);
  context.driver.close(directory);
  return path;
}

// Only there can the system be asked where it went.
describe.runIf(process.platform === 'linux')('a leap', () => {
  test('ends in the last directory of the way', () => {
    using tree = tempTree(['app/a/b/c/d.txt']);
    using context = openContext(tree.at('app'));
    expect(land(context, 'a/b/c')).toBe(tree.at('app/a/b/c'));
  });

  test('goes with a root that was moved', () => {
    using tree = tempTree(['app/a/b/c/d.txt']);
    using context = openContext(tree.at('app'));
    renameSync(tree.at('app'), tree.at('moved'));
    mkdirSync(tree.at('app/a/b/c'), { recursive: true });
    expect(land(context, 'a/b/c')).toBe(tree.at('moved/a/b/c'));
  });

  test.each([
    ['a link on the way that leads outside', 'a/out/c'],
    ['a link on the way that stays inside', 'a/same/c'],
    ['a link at the end', 'a/b/link'],
    ['a link to the place that the text says', 'a/b/itself'],
    ['a file', 'a/b/file'],
    ['nothing', 'a/b/missing'],
    ['a way back', 'a/b/../b'],
    ['few directories, which are as quickly gone step by step', 'a/b'],
  ])('is not taken for %s', (_what, way) => {
    using tree = tempTree([
      'app/a/b/c/d.txt',
      'app/a/b/file',
      'app/a/b/link => c',
      'app/a/b/itself => itself',
      'app/a/same => b',
      'app/a/out => ../../outside',
      'outside/c/d.txt',
    ]);
    using context = openContext(tree.at('app'));
    expect(land(context, way)).toBeUndefined();
    expect(openHandles(tree.path)).toEqual([tree.at('app')]);
  });

  test('is not deceived by names that differ only in what is no UTF-8', () => {
    using tree = tempTree();
    const below = (first: number, way: string): Buffer =>
      Buffer.concat([Buffer.from(`${tree.path}/`), Buffer.from([first]), Buffer.from(way)]);
    mkdirSync(below(0xff, '/a'), { recursive: true });
    mkdirSync(below(0xfe, '/a/b/c'), { recursive: true });
    symlinkSync(below(0xfe, '/a/b'), below(0xff, '/a/b'));
    symlinkSync(below(0xff, ''), tree.at('top'));
    using context = openContext(tree.at('top'));
    // Both texts are the same, because neither name is one.
    expect(below(0xfe, '/a/b/c').toString()).toBe(below(0xff, '/a/b/c').toString());
    expect(land(context, 'a/b/c')).toBeUndefined();
  });

  test('asks every rule, and is not taken where one stands against it', () => {
    using tree = tempTree(['app/a/b/c/d.txt']);
    const asked: string[] = [];
    using context = openContext(tree.at('app'), {
      guard(operation, relative, last) {
        asked.push(`${operation} ${relative} ${last}`);
        return undefined;
      },
    });
    land(context, 'a/b/c');
    expect(asked).toEqual(['read a false', 'read a/b false', 'read a/b/c false']);
    const guard = (_operation: string, relative: string): Error | undefined =>
      relative === 'a/b' ? new Error('no') : undefined;
    expect(land({ ...context, guard }, 'a/b/c')).toBeUndefined();
  });

  test('is not taken where mounts count: the text of a way does not tell them', () => {
    using tree = tempTree(['app/a/b/c/d.txt']);
    using context = openContext(tree.at('app'), { mount: '1' });
    expect(land(context, 'a/b/c')).toBeUndefined();
  });
});
