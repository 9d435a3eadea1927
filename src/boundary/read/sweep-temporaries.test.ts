import { spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import type { Guard } from '../step/context.ts';
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
  test('leftovers of a killed process are removed', async () => {
    using tree = tempTree();
    writeFileSync(tree.at(withPid(temporaryName(), dead)), 'half');
    expect(await writeIn(tree)).toEqual(['a.txt']);
  });

  test('files of a living process stay', async () => {
    using tree = tempTree();
    const [own, parent] = [temporaryName(), withPid(temporaryName(), process.ppid)];
    for (const name of [own, parent]) writeFileSync(tree.at(name), 'half');
    expect(await writeIn(tree)).toEqual([own, parent, 'a.txt'].toSorted());
  });

  test('files of another machine stay, until they are an hour old', async () => {
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

describe('after a file was written', () => {
  test('leftovers of a process that was killed since then are removed by a later write', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    await boundary.write('a.txt', 'new');
    writeFileSync(tree.at(withPid(temporaryName(), dead)), 'half');
    await expect
      .poll(async () => {
        await boundary.write('a.txt', 'newer');
        return readdirSync(tree.path);
      })
      .toEqual(['a.txt']);
  });
});

describe('a listing', () => {
  const allowing: Guard = () => undefined;

  async function shownIn(tree: TempTree, guard?: Guard): Promise<readonly string[]> {
    await using boundary = await openBoundary(tree.path, guard === undefined ? {} : { guard });
    const { entries } = await boundary.list('sub');
    const walked: string[] = [];
    for await (const { path } of boundary.walk('.')) walked.push(path);
    expect(walked.toSorted()).toEqual(['sub', ...entries.map(({ name }) => `sub/${name}`)].toSorted());
    return entries.map(({ name }) => name);
  }

  test('removes leftovers of a killed process, and does not show them', async () => {
    using tree = tempTree(['sub/a.txt']);
    writeFileSync(tree.at('sub', withPid(temporaryName(), dead)), 'half');
    expect(readdirSync(tree.at('sub'))).toHaveLength(2);
    expect(await shownIn(tree, allowing)).toEqual(['a.txt']);
    expect(readdirSync(tree.at('sub'))).toEqual(['a.txt']);
  });

  test('a walk does the same', async () => {
    using tree = tempTree(['sub/a.txt']);
    writeFileSync(tree.at('sub', withPid(temporaryName(), dead)), 'half');
    await using boundary = await openBoundary(tree.path, { guard: allowing });
    for await (const { path } of boundary.walk('.')) expect(['sub', 'sub/a.txt']).toContain(path);
    expect(readdirSync(tree.at('sub'))).toEqual(['a.txt']);
  });

  test('does not show files that are being written, and leaves them', async () => {
    using tree = tempTree(['sub/a.txt']);
    const names = [temporaryName(), elsewhere(temporaryName())];
    for (const name of names) writeFileSync(tree.at('sub', name), 'half');
    expect(await shownIn(tree, allowing)).toEqual(['a.txt']);
    expect(readdirSync(tree.at('sub')).toSorted()).toEqual([...names, 'a.txt'].toSorted());
  });

  test('removes nothing without write permission', async () => {
    using tree = tempTree(['sub/a.txt']);
    const left = withPid(temporaryName(), dead);
    writeFileSync(tree.at('sub', left), 'half');
    const readOnly: Guard = (operation) => (operation === 'write' ? new Error('read-only') : undefined);
    expect(await shownIn(tree, readOnly)).toEqual(['a.txt']);
    // Nor where there are no rules at all.
    expect(await shownIn(tree)).toEqual(['a.txt']);
    expect(readdirSync(tree.at('sub'))).toContain(left);
  });

  test('shows files with other names, directories and links', async () => {
    using tree = tempTree(['sub/']);
    const names = [withPid(temporaryName(), dead), withPid(temporaryName(), dead)];
    tree.add(`sub/${names[0]}/`, `sub/${names[1]} => elsewhere`, 'sub/.rootward-notes.tmp');
    expect(await shownIn(tree)).toEqual([...names, '.rootward-notes.tmp'].toSorted());
  });
});
