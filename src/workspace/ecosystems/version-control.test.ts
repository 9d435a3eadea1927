import { expect, test } from 'vitest';
import { matchMarker } from './markers.ts';
import { git, jujutsu, mercurial, subversion } from './version-control.ts';

test.each([
  [git, 'either'],
  [jujutsu, 'directory'],
  [mercurial, 'directory'],
  [subversion, 'directory'],
] as const)('$name keeps a repository in a directory that no search enters', ({ name, pruned }, shape) => {
  expect(matchMarker(`.${name}`)).toMatchObject({ kind: 'repository', ecosystem: name, shape });
  expect(pruned).toEqual([`.${name}`]);
});
