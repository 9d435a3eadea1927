import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace } from './read-place.ts';

test('a path, one from the home, and a URI mean a place', () => {
  expect(readPlace(' /srv/docs ')).toBe('/srv/docs');
  expect(readPlace('~/work/shop')).toBe(join(homedir(), 'work/shop'));
  expect(readPlace('file:///srv/my%20docs')).toBe('/srv/my docs');
  expect(() => readPlace('file://%zz')).toThrow(expect.objectContaining({ code: 'INVALID_URI' }));
});
