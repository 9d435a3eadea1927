import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readHead, readLine, readWorktreeSetting } from './git-files.ts';

describe('readLine', () => {
  test.each([
    ['x\n', 'x'],
    ['x\r\n', 'x'],
    ['x', 'x'],
    [' x y \n\n', ' x y '],
    ['x\ny\n', 'x\ny'],
    ['', ''],
  ])('reads %j as %j', async (content, line) => {
    expect(await read({ file: content }, (boundary) => readLine(boundary, 'file'))).toBe(line);
  });

  test('reads nothing that is missing, very large, or leads out', async () => {
    using tree = tempTree(['dir/link => ../secret', 'secret']);
    writeFileSync(tree.at('dir', 'large'), 'x'.repeat(20_000));
    await using boundary = await openBoundary(tree.at('dir'));
    for (const name of ['gone', 'large', 'link', '.']) expect(await readLine(boundary, name)).toBeUndefined();
  });
});

describe('readHead', () => {
  test.each([
    ['ref: refs/heads/main\n', { branch: 'main' }],
    ['ref: refs/heads/feature/a-b\n', { branch: 'feature/a-b' }],
    ['ref: refs/heads/.invalid\n', {}],
    ['ref: refs/heads/../../etc/passwd\n', {}],
    ['ref: refs/heads/a\u202Eb\n', {}],
    ['8f3c1d2e9ab04c5d6e7f8091a2b3c4d5e6f70819\n', {}],
    ['', {}],
  ])('reads %j', async (content, head) => {
    expect(await read({ HEAD: content }, readHead)).toEqual(head);
  });

  test('finds fault with a directory that has none', async () => {
    expect(await read({ other: '' }, readHead)).toEqual({
      issue: 'Cannot use ".git" as a repository: it has no HEAD',
    });
  });
});

describe('readWorktreeSetting', () => {
  test.each([
    ['[core]\n\tbare = false\n\tworktree = ../../x\n', '../../x'],
    ['[core]\r\nworktree=../a b\r\n', '../a b'],
    ['[core]\n\tWorkTree = "../a \\"b\\" \\\\c"\n', '../a "b" \\c'],
    ['[core]\n\tbare = true\n', undefined],
  ])('reads %j as %j', async (config, value) => {
    expect(await read({ config }, readWorktreeSetting)).toBe(value);
  });

  test('looks into the configuration of the one tree as well', async () => {
    const files = { config: '[core]\n', 'config.worktree': '[core]\nworktree = ../x\n' };
    expect(await read(files, readWorktreeSetting)).toBe('../x');
  });
});

async function read<Result>(
  files: Readonly<Record<string, string>>,
  use: (boundary: Awaited<ReturnType<typeof openBoundary>>) => Promise<Result>,
): Promise<Result> {
  using tree = tempTree();
  for (const [name, content] of Object.entries(files)) writeFileSync(tree.at(name), content);
  await using boundary = await openBoundary(tree.path);
  return await use(boundary);
}
