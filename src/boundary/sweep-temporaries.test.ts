import { spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { openBoundary } from './open-boundary.ts';
import { temporaryName } from './temporary-name.ts';

/** A process that has ended: its number is free. */
const dead = spawnSync(process.execPath, ['-e', '']).pid;

const withPid = (name: string, pid: number): string =>
  `${name.slice(0, 16)}${pid.toString(16).padStart(6, '0')}${name.slice(22)}`;

const elsewhere = (name: string): string =>
  `${name.slice(0, 10)}${name.slice(10, 16) === '000000' ? '000001' : '000000'}${name.slice(16)}`;

async function writeIn(tree: TempTree): Promise<readonly string[]> {
  await using boundary = await openBoundary(tree.path);
  await boundary.write('a.txt', 'new');
  return readdirSync(tree.path).toSorted();
}

describe('before a file is written', () => {
  test('what a killed process left there is removed', async () => {
    using tree = tempTree();
    writeFileSync(tree.at(withPid(temporaryName(), dead)), 'half');
    expect(await writeIn(tree)).toEqual(['a.txt']);
  });

  test('what a living process writes there stays', async () => {
    using tree = tempTree();
    const [own, parent] = [temporaryName(), withPid(temporaryName(), process.ppid)];
    for (const name of [own, parent]) writeFileSync(tree.at(name), 'half');
    expect(await writeIn(tree)).toEqual([own, parent, 'a.txt'].toSorted());
  });

  test('what somebody writes elsewhere stays, until nobody has for an hour', async () => {
    using tree = tempTree();
    const [fresh, old] = [elsewhere(temporaryName()), elsewhere(temporaryName())];
    for (const name of [fresh, old]) writeFileSync(tree.at(name), 'half');
    utimesSync(tree.at(old), 0, Date.now() / 1_000 - 3_700);
    expect(await writeIn(tree)).toEqual([fresh, 'a.txt'].toSorted());
  });

  test('files with other names, directories and links stay', async () => {
    using tree = tempTree();
    const names = [withPid(temporaryName(), dead), withPid(temporaryName(), dead)];
    tree.add(`${names[0]}/`, `${names[1]} => elsewhere`, '.rootward-notes.tmp', 'b.tmp');
    expect(await writeIn(tree)).toEqual([...names, '.rootward-notes.tmp', 'a.txt', 'b.tmp'].toSorted());
  });
});

test('a directory is looked through once', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  await boundary.write('a.txt', 'new');
  const left = withPid(temporaryName(), dead);
  writeFileSync(tree.at(left), 'half');
  await boundary.write('a.txt', 'newer');
  expect(readdirSync(tree.path)).toContain(left);
});
