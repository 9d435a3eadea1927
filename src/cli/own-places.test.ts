import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDirectories } from '../config/directories.ts';
import { isInside } from '../path/inside.ts';
import { ownPlaces } from './own-places.ts';

const quiet = { write: () => undefined };

function placesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return ownPlaces({ process: { stdout: quiet, stderr: quiet, env }, cwd: '/' });
}

test('with ROOTWARD_HOME it is that, and the file of the roots, which may be a link', () => {
  expect(placesOf({ ROOTWARD_HOME: '/srv/rw' })).toEqual(['/srv/rw', join('/srv/rw', 'roots.jsonc')]);
});

test('without it every directory of this person is in one of them', () => {
  const places = placesOf({});
  for (const directory of Object.values(findDirectories({})) as string[])
    expect(places.some((place) => isInside(place, directory))).toBe(true);
});
