import { describe, expect, test } from 'vitest';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { age, changesBetween, snapshot } from '../../support/trees/snapshot.ts';

interface Call {
  readonly title: string;
  readonly run: (boundary: Boundary) => Promise<unknown>;
  /** In cap-std it is an error, too, by another name. */
  readonly code: ErrorCode;
}

const calls: readonly Call[] = [
  { title: 'create ""', run: (boundary) => boundary.write('', 'x'), code: 'INVALID_PATH' },
  { title: 'create "."', run: (boundary) => boundary.write('.', 'x'), code: 'IS_ROOT' },
  { title: 'create "dir/.."', run: (boundary) => boundary.write('dir/..', 'x'), code: 'IS_ROOT' },
  {
    title: 'create "dir/sub/.."',
    run: (boundary) => boundary.write('dir/sub/..', 'x'),
    code: 'IS_A_DIRECTORY',
  },
  { title: 'create "new/"', run: (boundary) => boundary.write('new/', 'x'), code: 'NOT_A_DIRECTORY' },
  { title: 'open "file/"', run: (boundary) => boundary.readText('file/'), code: 'NOT_A_DIRECTORY' },
  { title: 'open "file/."', run: (boundary) => boundary.readText('file/.'), code: 'NOT_A_DIRECTORY' },
  { title: 'open "file/.."', run: (boundary) => boundary.list('file/..'), code: 'NOT_A_DIRECTORY' },
  { title: 'open "a\\0b"', run: (boundary) => boundary.readText('a\0b'), code: 'INVALID_PATH' },
  {
    title: 'rename "dir" to "dir/."',
    run: (boundary) => boundary.rename('dir', 'dir/.'),
    code: 'ALREADY_EXISTS',
  },
  {
    title: 'rename "dir" to "dir/sub/x"',
    run: (boundary) => boundary.rename('dir', 'dir/sub/x'),
    code: 'NOT_POSSIBLE',
  },
  { title: 'remove "."', run: (boundary) => boundary.remove('.'), code: 'IS_ROOT' },
  { title: 'remove the tree "."', run: (boundary) => boundary.remove('.', { tree: true }), code: 'IS_ROOT' },
  {
    title: 'remove the tree "dir/.."',
    run: (boundary) => boundary.remove('dir/..', { tree: true }),
    code: 'IS_ROOT',
  },
  {
    title: 'give a mode beyond 0777',
    run: (boundary) => boundary.changeMode('file', 0o4755),
    code: 'INVALID_MODE',
  },
];

describe.runIf(process.platform !== 'win32').each(drivers)('as in cap-std and Go, with $name', ({ open }) => {
  test.each(calls)('$title fails with $code and changes nothing', async ({ run, code }) => {
    using tree = tempTree(['ROOT/file', 'ROOT/dir/sub/x y']);
    age(tree.path);
    const before = snapshot(tree.path);
    await using boundary = await open(tree.at('ROOT'));
    await expect(run(boundary)).rejects.toMatchObject({ code });
    expect(changesBetween(before, snapshot(tree.path))).toEqual([]);
  });
});
