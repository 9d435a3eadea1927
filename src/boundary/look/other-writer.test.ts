import { chmodSync, chownSync, lchownSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { userInfo } from 'node:os';
import { isPrivateGroup, requireOwnPlace } from './other-writer.ts';

const isRoot = process.geteuid?.() === 0;
/** Any user but this one and root. */
const stranger = 54_321;

/** The place that is said to be shared, from the tree on; `undefined` where none is. */
function sharedIn(tree: TempTree, name: string): string | undefined {
  try {
    requireOwnPlace(tree.at(name));
    return undefined;
  } catch (error) {
    if (RootwardError.is(error, 'SHARED_PLACE')) return error.data.at.slice(tree.path.length + 1);
    throw error;
  }
}

interface Case {
  readonly what: string;
  readonly entries: readonly string[];
  readonly modes?: Readonly<Record<string, number>>;
  readonly owners?: Readonly<Record<string, number>>;
  readonly asked: string;
  /** The part of the way that is refused. */
  readonly at?: string;
}

const cases: readonly Case[] = [
  { what: 'a directory of ours', entries: ['a/b/'], asked: 'a/b' },
  { what: 'a file that others may read', entries: ['a/f'], modes: { 'a/f': 0o644 }, asked: 'a/f' },
  { what: 'what is not there', entries: ['a/'], asked: 'a/b/c' },
  { what: 'what lies below a file', entries: ['a'], asked: 'a/b/c' },
  { what: 'what lies below a file of others', entries: ['a'], modes: { a: 0o666 }, asked: 'a/b' },
  { what: 'links in a circle', entries: ['a => b', 'b => a'], asked: 'a/c' },
  { what: 'a way through a sticky directory', entries: ['a/b/'], modes: { a: 0o1777 }, asked: 'a/b' },
  { what: 'a file in a sticky directory', entries: ['a/f'], modes: { a: 0o1777 }, asked: 'a/f' },
  { what: 'a link', entries: ['real/b/', 'link => real/b'], asked: 'link' },
  {
    what: 'open beneath a closed directory',
    entries: ['a/b/f'],
    modes: { a: 0o700, 'a/b': 0o777 },
    asked: 'a/b/f',
  },
  { what: 'a link that goes up', entries: ['x/y/', 'real/', 'x/y/l => ../../real'], asked: 'x/y/l' },
  { what: 'others who write', entries: ['a/'], modes: { a: 0o702 }, asked: 'a', at: 'a' },
  {
    what: 'a link out of a closed directory',
    entries: ['a/l => ../b', 'b/'],
    modes: { a: 0o700, b: 0o777 },
    asked: 'a/l',
    at: 'b',
  },
  { what: 'a sticky end', entries: ['a/'], modes: { a: 0o1777 }, asked: 'a', at: 'a' },
  { what: 'a file that others write', entries: ['a/f'], modes: { 'a/f': 0o606 }, asked: 'a/f', at: 'a/f' },
  { what: 'an open directory above', entries: ['a/b/c/'], modes: { a: 0o777 }, asked: 'a/b/c', at: 'a' },
  { what: 'an open one above nothing', entries: ['a/'], modes: { a: 0o777 }, asked: 'a/b/c', at: 'a' },
  {
    what: 'a link that lies in an open directory',
    entries: ['open/link => ../real', 'real/'],
    modes: { open: 0o777 },
    asked: 'open/link',
    at: 'open',
  },
  {
    what: 'a link that leads through an open directory',
    entries: ['link => $TREE/open/real', 'open/real/'],
    modes: { open: 0o777 },
    asked: 'link',
    at: 'open',
  },
  {
    what: 'a link to a link to an open directory',
    entries: ['one => two', 'two => ./x/../open', 'x/', 'open/'],
    modes: { open: 0o777 },
    asked: 'one',
    at: 'open',
  },
];

const foreign: readonly Case[] = [
  { what: 'a group that writes', entries: ['a/'], modes: { a: 0o770 }, asked: 'a', at: 'a' },
  { what: 'a directory', entries: ['a/'], owners: { a: stranger }, asked: 'a', at: 'a' },
  { what: 'a directory above', entries: ['a/b/'], owners: { a: stranger }, asked: 'a/b', at: 'a' },
  { what: 'a file', entries: ['a/f'], owners: { 'a/f': stranger }, asked: 'a/f', at: 'a/f' },
  { what: 'a link', entries: ['l => a', 'a/'], owners: { l: stranger }, asked: 'l', at: 'l' },
  {
    what: 'a file in a sticky directory',
    entries: ['a/f'],
    modes: { a: 0o1777 },
    owners: { 'a/f': stranger },
    asked: 'a/f',
    at: 'a/f',
  },
];

function arrange({ entries, modes = {}, owners = {} }: Case): TempTree {
  const tree = tempTree(entries);
  // Other users cannot enter a temporary directory, so nothing beneath it would count as shared.
  chmodSync(tree.path, 0o755);
  for (const [name, owner] of Object.entries(owners)) lchownSync(tree.at(name), owner, owner);
  for (const [name, mode] of Object.entries(modes)) chmodSync(tree.at(name), mode);
  return tree;
}

describe.skipIf(process.platform === 'win32')("a place of Rootward's own", () => {
  test.each(cases.filter(({ at }) => at === undefined))('may be $what', (each) => {
    using tree = arrange(each);
    expect(sharedIn(tree, each.asked)).toBeUndefined();
  });

  test.each(cases.filter(({ at }) => at !== undefined))('may not have $what', (each) => {
    using tree = arrange(each);
    expect(sharedIn(tree, each.asked)).toBe(each.at);
  });

  test.runIf(isRoot).each(foreign)('may not have other owners: $what (needs root)', (each) => {
    using tree = arrange(each);
    expect(sharedIn(tree, each.asked)).toBe(each.at);
  });

  test.runIf(isRoot)('is reported with its owner, and with the command that helps (needs root)', () => {
    using tree = tempTree(['a/']);
    chmodSync(tree.path, 0o755);
    chownSync(tree.at('a'), stranger, stranger);
    expect(() => requireOwnPlace(tree.at('a'))).toThrow(`belongs to another user (${stranger})`);
    chownSync(tree.at('a'), 0, 0);
    chmodSync(tree.at('a'), 0o770);
    expect(() => requireOwnPlace(tree.at('a'))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`chmod go-w "${tree.at('a')}"`) }),
    );
  });
});

describe('a group of one', () => {
  const { username: me } = userInfo();
  const group = (
    text: string,
    passwd = `${me}:x:1000:1000::/home:/bin/sh\nroot:x:0:0::/:/bin/sh\n`,
  ): boolean => isPrivateGroup(1000, (file) => (file === '/etc/group' ? text : passwd));

  test.each([
    ['has the name of its user and no member', `root:x:0:\n${me}:x:1000:\n`],
    ['has its user as the only member', `${me}:x:1000:${me}\n`],
  ])('%s', (_what, text) => {
    expect(group(text)).toBe(true);
  });

  test.each([
    ['another member', `${me}:x:1000:${me},eve\n`],
    ['another name', `staff:x:1000:\n`],
    ['no entry', `root:x:0:\n`],
  ])('has not %s', (_what, text) => {
    expect(group(text)).toBe(false);
  });

  test('is not the first group of another user', () => {
    expect(group(`${me}:x:1000:\n`, `${me}:x:1000:1000::/:/bin/sh\neve:x:1001:1000::/:/bin/sh\n`)).toBe(
      false,
    );
  });
});
