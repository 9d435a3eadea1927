import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../../boundary/open-boundary.ts';
import { tempTree } from '../../../testing/temp-tree.ts';
import { type ManifestFormat, type ManifestReading, readManifest, readOnce } from './read-manifest.ts';

describe('readManifest', () => {
  test.each<[format: ManifestFormat, content: string, value: unknown]>([
    ['json', '{"a":1}', { a: 1 }],
    ['toml', 'a = 1', { a: 1 }],
    ['yaml', 'a: 1', { a: 1 }],
    ['text', 'a\r\nb', 'a\r\nb'],
  ])('reads %s, with a mark of its encoding as well', async (format, content, value) => {
    expect(await read(content, format)).toEqual({ value });
    expect(await read(`\uFEFF${content}`, format)).toEqual({ value });
  });

  test('reads xml', async () => {
    const reading = await read('\uFEFF<?xml version="1.0"?><a>x</a>', 'xml');
    expect('value' in reading && reading.value.texts(['a'])).toEqual(['x']);
  });

  test.each<[format: ManifestFormat, content: string, issue: RegExp]>([
    ['json', '{"a":1,', /^Cannot read "file": line 1, column \d+: /],
    ['toml', 'a =', /^Cannot read "file": line 1, column \d+: /],
    ['yaml', 'a: [', /^Cannot read "file": line 1, column \d+: /],
    ['xml', '<a>', /^Cannot read "file": line 1, column \d+: /],
    ['json', `{${'[,'.repeat(200_000)}`, /^Cannot read "file": /],
    ['json', '['.repeat(1_000_000), /^Cannot read "file": it is nested more than 1000 levels deep$/],
    [
      'yaml',
      `a: &a x\nb: [${'*a,'.repeat(10_000)}]`,
      /^Cannot read "file": (?:Excessive alias count|it takes too long)/,
    ],
    ['xml', '<\u202E\u0007>', /^Cannot read "file": [\x20-\x7E�]+$/],
    ['toml', 'a = 1\u0000\u202E', /^Cannot read "file": [\x20-\x7E�]+$/],
  ])('finds fault with %s: %#', async (format, content, issue) => {
    const reading = await read(content, format);
    expect(reading).toEqual({ issue: expect.stringMatching(issue) });
    expect('issue' in reading && reading.issue.length).toBeLessThan(250);
  });

  test.each<[format: ManifestFormat, limit: number]>([
    ['json', 1_048_576],
    ['toml', 131_072],
    ['yaml', 65_536],
    ['xml', 1_048_576],
    ['text', 262_144],
  ])('reads no %s of more than %i bytes', async (format, limit) => {
    expect(await read(' '.repeat(limit + 1), format)).toEqual({
      issue: `Cannot read "file": it is larger than ${limit} bytes`,
    });
  });

  test.each([
    ['gone', 'Cannot read "gone": it does not exist'],
    ['directory', 'Cannot read "directory": it is a directory'],
    ['pipe', 'Cannot read "pipe": it is a FIFO'],
    ['out', 'Cannot reach "out": it is outside the roots'],
    ['loop', 'Cannot read "loop": too many symbolic links'],
  ])('says why %s cannot be read', async (file, issue) => {
    using tree = tempTree([
      'dir/directory/',
      'dir/pipe|',
      'dir/out => ../secret',
      'secret',
      'dir/loop => loop',
    ]);
    await using boundary = await openBoundary(tree.at('dir'));
    expect(await readManifest(boundary, file, 'json')).toEqual({ issue });
  });

  test('reads what is not UTF-8 as far as it can', async () => {
    using tree = tempTree();
    writeFileSync(tree.at('file'), Buffer.from('{"name":"\xe9"}', 'latin1'));
    await using boundary = await openBoundary(tree.path);
    expect(await readManifest(boundary, 'file', 'json')).toEqual({ value: { name: '\uFFFD' } });
  });
});

async function read<Format extends ManifestFormat>(
  content: string,
  format: Format,
): Promise<ManifestReading<Format>> {
  using tree = tempTree();
  writeFileSync(tree.at('file'), content);
  await using boundary = await openBoundary(tree.path);
  return await readManifest(boundary, 'file', format);
}

test('reads a manifest once, whatever happens to it then', async () => {
  using tree = tempTree(['package.json = { "name": "a" }']);
  await using boundary = await openBoundary(tree.path);
  const read = readOnce(boundary);
  expect(await read('package.json', 'json')).toEqual({ value: { name: 'a' } });
  writeFileSync(tree.at('package.json'), '{ "name": "b" }');
  expect(await read('package.json', 'json')).toEqual({ value: { name: 'a' } });
  expect(await readOnce(boundary)('package.json', 'json')).toEqual({ value: { name: 'b' } });
});

test('keeps formats and files apart, and issues too', async () => {
  using tree = tempTree(['a.json = { "name": "a" }', 'b.json = {']);
  await using boundary = await openBoundary(tree.path);
  const read = readOnce(boundary);
  expect(await read('a.json', 'json')).toEqual({ value: { name: 'a' } });
  expect(await read('a.json', 'text')).toEqual({ value: '{ "name": "a" }' });
  expect(await read('b.json', 'json')).toEqual({ issue: expect.stringContaining('"b.json"') });
});
