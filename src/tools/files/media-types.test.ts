import { expect, test } from 'vitest';
import { mediaTypeOf } from './media-types.ts';

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
