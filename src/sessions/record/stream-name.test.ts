import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyedDigest } from './sealing.ts';
import { nameStream, readStreamName } from './stream-name.ts';

const digest = createKeyedDigest([randomBytes(32)], 'streams');

test.each([1, 0, 'é', '1', '"]'])('a name for request %j says what it is', (request) => {
  const name = nameStream(digest, 'node', { session: 's', request });
  expect(readStreamName(digest, name)).toMatchObject({ node: 'node', session: 's', request });
  expect(nameStream(digest, 'node', { session: 's', request })).not.toBe(name);
});

test('a name that somebody made up or changed says nothing', () => {
  const name = nameStream(digest, 'node', { session: 's', request: 1 });
  const stranger = createKeyedDigest([randomBytes(32)], 'streams');
  const changed = `${Buffer.from('["node"').toString('base64url')}${name.slice(9)}`;
  for (const text of ['', 'x', changed, nameStream(stranger, 'node', { session: 's', request: 1 })]) {
    expect(readStreamName(digest, text)).toBeUndefined();
  }
});

test('a name that is too long to come back says nothing', () => {
  const name = nameStream(digest, 'node', { session: 's', request: 'x'.repeat(2_000) });
  expect(readStreamName(digest, name)).toBeUndefined();
});
