import fs, { closeSync, constants, linkSync, openSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { type FilesPart, type PartMeans, type PartRequest, readPart, textIn } from './read-part.ts';

/** Reads names of a directory. */
function read(directory: string, names: readonly string[], wish: Partial<PartRequest> = {}): FilesPart {
  const fd = openSync(directory, constants.O_RDONLY);
  const open: PartMeans['open'] = (_place, name) => openSync(`${directory}/${name}`, constants.O_RDONLY);
  try {
    const places = [{ prefix: '', fd, names: names.join('/') }];
    const scratch = { bytes: Buffer.alloc(4) };
    return readPart(
      { fs, open, textIn, scratch },
      { places, from: 0, limit: 1_000, oneName: false, ...wish },
    );
  } finally {
    closeSync(fd);
  }
}

/** Each text with the number of its file. */
function textsOf({ texts, bytes }: FilesPart): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < texts.length; at += 3)
    found.push(`${texts[at]} ${Buffer.from(bytes).toString('utf8', texts[at + 1], texts[at + 2])}`);
  return found;
}

test('reads files one after the other, of any size', () => {
  using tree = tempTree(['a = one', 'b = two', 'c = ']);
  writeFileSync(tree.at('d'), 'x'.repeat(900));
  const part = read(tree.path, ['a', 'b', 'c', 'd']);
  expect(textsOf(part)).toEqual(['0 one', '1 two', `3 ${'x'.repeat(900)}`]);
  expect(part.next).toBeUndefined();
});

test('skips files that are missing, not regular, too large, or have a second name where that is refused', () => {
  using tree = tempTree(['a = one', 'directory/', 'z = last']);
  writeFileSync(tree.at('large'), 'x'.repeat(1_001));
  linkSync(tree.at('a'), tree.at('again'));
  const names = ['a', 'missing', 'directory', 'large', 'z'];
  expect(textsOf(read(tree.path, names))).toEqual(['0 one', '4 last']);
  expect(textsOf(read(tree.path, names, { oneName: true }))).toEqual(['4 last']);
});

test('keeps only texts with certain bytes', () => {
  using tree = tempTree(['a = a needle', 'b = hay', 'c = needles']);
  const holding = Buffer.from('needle');
  expect(textsOf(read(tree.path, ['a', 'b', 'c'], { holding }))).toEqual(['0 a needle', '2 needles']);
});

test('stops when it has enough, and continues from there', () => {
  using tree = tempTree();
  for (const name of ['a', 'b', 'c']) writeFileSync(tree.at(name), name.repeat(1_500_000));
  const limit = 2_000_000;
  const first = read(tree.path, ['a', 'b', 'c'], { limit });
  expect(first.next).toBe(2);
  expect(first.bytes.byteLength).toBe(3_000_000);
  expect(read(tree.path, ['a', 'b', 'c'], { limit, from: 2 })).toMatchObject({ next: undefined });
});

test('a file that grows while it is read is read as it is then', () => {
  using tree = tempTree(['a = one']);
  const stats = { nlink: 1, size: 0, isFile: () => true };
  const growing = { ...fs, fstatSync: () => stats } as unknown as PartMeans['fs'];
  const scratch = { bytes: Buffer.alloc(4) };
  const open: PartMeans['open'] = (_place, name) => openSync(tree.at(name), constants.O_RDONLY);
  const places = [{ prefix: '', fd: 0, names: 'a' }];
  const request = { places, from: 0, limit: 1_000, oneName: false };
  expect(textsOf(readPart({ fs: growing, open, textIn, scratch }, request))).toEqual(['0 one']);
  const small = { ...request, limit: 2 };
  expect(textsOf(readPart({ fs: growing, open, textIn, scratch }, small))).toEqual([]);
});

test('a refused file is skipped under every name, however large its inode number is', () => {
  using tree = tempTree(['a = one', 'b = two']);
  const inode = 2n ** 60n + 1n;
  const large = {
    ...fs,
    fstatSync: (fd: number) => Object.assign(fs.fstatSync(fd), { dev: 7, ino: Number(inode) }),
  } as unknown as PartMeans['fs'];
  const open: PartMeans['open'] = (_place, name) => openSync(tree.at(name), constants.O_RDONLY);
  const means = { fs: large, open, textIn, scratch: { bytes: Buffer.alloc(4) } };
  const request = { places: [{ prefix: '', fd: 0, names: 'a/b' }], from: 0, limit: 1_000, oneName: false };
  expect(textsOf(readPart(means, { ...request, refused: [`7:${inode}`] }))).toEqual([]);
  expect(textsOf(readPart(means, { ...request, refused: [`8:${inode}`, '7:1'] }))).toEqual([
    '0 one',
    '1 two',
  ]);
});

test('a lack of handles ends it, and is reported', () => {
  const open = (): never => {
    throw Object.assign(new Error('too many'), { code: 'EMFILE' });
  };
  const places = [{ prefix: '', fd: 0, names: 'a/b' }];
  const means = { fs, open, textIn, scratch: { bytes: Buffer.alloc(4) } };
  const part = readPart(means, { places, from: 0, limit: 1_000, oneName: false });
  expect(part).toMatchObject({ next: 0, fault: 'EMFILE', texts: [] });
});

test.each([
  ['plain', Buffer.from('äb'), 'äb'],
  ['with a mark', Buffer.from('\u{FEFF}äb'), 'äb'],
  ['UTF-16, little end first', Buffer.from('\u{FEFF}äb', 'utf16le'), 'äb'],
  ['UTF-16, big end first', Buffer.from('\u{FEFF}äb', 'utf16le').swap16(), 'äb'],
  ['not UTF-8', Buffer.from('\xE4b', 'latin1'), '\u{FFFD}b'],
  ['nothing', Buffer.alloc(0), ''],
  ['with a zero byte', Buffer.from('a\0b'), undefined],
])('the text of a file: %s', (_kind, bytes, text) => {
  expect(textIn(bytes)?.toString('utf8')).toBe(text);
});
