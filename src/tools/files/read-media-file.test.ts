import { truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { limits } from '../tool/answer-limits.ts';
import { fitsMessage } from '../tool/answer.ts';
import { mediaTypeOf, readMediaFile } from './read-media-file.ts';

test('returns images and audio as such, other files as resources', async () => {
  using tree = tempTree(['app/a.png = 1', 'app/a.wav = 2', 'app/a b.pdf = 3']);
  await using call = await openToolCall([tree.at('app')]);
  expect((await call.run(readMediaFile, { path: 'a.png' })).content).toEqual([
    { type: 'image', data: 'MQ==', mimeType: 'image/png' },
  ]);
  expect((await call.run(readMediaFile, { path: 'a.wav' })).content).toEqual([
    { type: 'audio', data: 'Mg==', mimeType: 'audio/wav' },
  ]);
  const uri = toFileUri(tree.at('app/a b.pdf'));
  const { content, structuredContent } = await call.run(readMediaFile, { path: 'a b.pdf' });
  expect(content).toEqual([
    { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: 'Mw==' } },
  ]);
  expect(structuredContent).toEqual({ content });
});

test('a root that is one file can be read', async () => {
  using tree = tempTree(['a.png = 1']);
  await using call = await openToolCall([tree.at('a.png')]);
  expect((await call.run(readMediaFile, { path: tree.at('a.png') })).content).toMatchObject([
    { type: 'image' },
  ]);
});

test('refuses files that are too large, special or outside', async () => {
  using tree = tempTree(['app/large.png', 'app/pipe|', 'app/leaving => ../secret', 'secret']);
  truncateSync(tree.at('app/large.png'), limits.mediaOnce + 1);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(readMediaFile, { path: 'large.png' })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    hint: expect.stringContaining('offset and length'),
  });
  await expect(call.run(readMediaFile, { path: 'pipe' })).rejects.toMatchObject({ code: 'SPECIAL_FILE' });
  await expect(call.run(readMediaFile, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
});

test('splits a file of any size into messages', async () => {
  using tree = tempTree(['app/a.png', 'app/b.png']);
  truncateSync(tree.at('app/a.png'), limits.media);
  truncateSync(tree.at('app/b.png'), limits.mediaOnce);
  await using call = await openToolCall([tree.at('app')]);
  const twice = await call.run(readMediaFile, { path: 'a.png' });
  expect(twice.structuredContent).toEqual({ content: twice.content });
  const once = await call.run(readMediaFile, { path: 'b.png' });
  expect(once.content).toMatchObject([{ type: 'image' }]);
  expect(once.structuredContent).toMatchObject({ content: [], more: expect.stringContaining('Only in') });
  for (const result of [twice, once]) expect(fitsMessage(result)).toBe(true);
});

test('the parts together are the file', async () => {
  using tree = tempTree(['app/a.png = 0123456789']);
  await using call = await openToolCall([tree.at('app')]);
  const part = async (range: object): Promise<string> => {
    const { content } = await call.run(readMediaFile, { path: 'a.png', ...range });
    const [block] = content;
    if (block?.type !== 'resource') throw new Error('no part');
    expect(block.resource.mimeType).toBe('application/octet-stream');
    return Buffer.from(block.resource.blob, 'base64').toString();
  };
  expect(await part({ length: 4 })).toBe('0123');
  expect(await part({ offset: 4, length: 4 })).toBe('4567');
  expect(await part({ offset: 8 })).toBe('89');
  expect(await part({ offset: 20 })).toBe('');
});

test.each([
  ['a.png', 'image/png', 'image'],
  ['A.JPG', 'image/jpeg', 'image'],
  ['a.svg', 'image/svg+xml', 'image'],
  ['a.mp3', 'audio/mpeg', 'audio'],
  ['a.ico', 'image/x-icon', 'resource'],
  ['a.mp4', 'video/mp4', 'resource'],
  ['a.tar.gz', 'application/gzip', 'resource'],
  ['a.pdf', 'application/pdf', 'resource'],
  ['Makefile', 'application/octet-stream', 'resource'],
  ['.png', 'application/octet-stream', 'resource'],
  ['a.xyz', 'application/octet-stream', 'resource'],
])('%s is %s, sent as %s', (path, mimeType, block) => {
  expect(mediaTypeOf(path)).toEqual({ mimeType, block });
});
