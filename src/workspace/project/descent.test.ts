import { describe, expect, test } from 'vitest';
import { holding } from '../../../test/support/trees/holding.ts';
import { matchMarker } from '../ecosystems/markers.ts';
import { compileMembers } from '../ecosystems/record/members.ts';
import { SearchDescent, type DescentLevel, isStrong, revealsProject } from './descent.ts';
import type { FoundMarkers } from './find-markers.ts';
import type { DeclaredMembers } from './read-members.ts';

function declaring(name: string, ...patterns: readonly string[]): DeclaredMembers {
  const marker = matchMarker(name);
  if (marker === undefined) throw new Error(`${name} is no marker`);
  const { members } = compileMembers(
    patterns.map((pattern) => ({ pattern })),
    'posix',
  );
  return { marker, ...members };
}

function projectAt(
  prefix: string,
  found: FoundMarkers,
  ...declared: readonly DeclaredMembers[]
): DescentLevel {
  return { prefix, found, project: { location: `/top/${prefix}`.slice(0, -1), declared } };
}

describe('the surroundings of a directory', () => {
  test('include the markers of its parent', () => {
    const descent = new SearchDescent(undefined);
    const [top, a] = [holding('Makefile'), holding('go.mod')];
    descent.push({ prefix: '', found: top });
    descent.push({ prefix: 'a/', found: a });
    descent.moveTo('a/b/');
    expect(descent.around('a/b/').above).toBe(a);
    expect(descent.around('a/b/c/').above).toBeUndefined();
    descent.moveTo('x/');
    expect(descent.around('x/').above).toBe(top);
    expect(new SearchDescent(undefined).around('').above).toBeUndefined();
  });

  test('include a repository, also one above the search', () => {
    expect(new SearchDescent({ top: '/', identity: '/.git' }).around('a/').isWithin).toBe(true);
    expect(new SearchDescent(undefined).around('a/').isWithin).toBe(false);
  });

  test.each([
    ['go.mod', true],
    ['Makefile', false],
  ])('include a project with %s, which counts: %s', (name, expected) => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('a/', holding(name)));
    descent.moveTo('a/b/c/');
    expect(descent.around('a/b/c/').isWithin).toBe(expected);
    descent.moveTo('ab/');
    expect(descent.around('ab/').isWithin).toBe(false);
  });

  test('exclude a directory that only holds markers', () => {
    const descent = new SearchDescent(undefined);
    descent.push({ prefix: 'a/', found: holding('CMakeLists.txt') });
    expect(descent.around('a/b/').isWithin).toBe(false);
  });
});

test('the repository is the nearest one', () => {
  const [outer, inner] = [
    { top: '/top', identity: '/top/.git' },
    { top: '/top/a', identity: '/top/a/.git' },
  ];
  const descent = new SearchDescent(outer);
  expect(descent.repository).toBe(outer);
  descent.push({ prefix: 'a/', found: holding('.git'), repository: inner });
  descent.push({ prefix: 'a/b/', found: holding('go.mod') });
  expect(descent.repository).toBe(inner);
  descent.moveTo('b/');
  expect(descent.repository).toBe(outer);
});

describe('the parent', () => {
  const node = holding('package.json');

  test('is absent at the top', () => {
    expect(new SearchDescent(undefined).relate('a/', node)).toEqual({ member: false });
  });

  test('is the nearest project, if none declares it', () => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('', node));
    descent.push(projectAt('a/', node));
    descent.push({ prefix: 'a/b/', found: holding('Makefile') });
    expect(descent.relate('a/b/c/', node)).toEqual({ parent: '/top/a', member: false });
  });

  test('is the project that declares it, past others', () => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('', node, declaring('package.json', 'a', 'a/plugins/*')));
    descent.push(projectAt('a/', node));
    expect(descent.relate('a/plugins/b/', node)).toEqual({ parent: '/top', member: true });
    expect(descent.relate('a/other/', node)).toEqual({ parent: '/top/a', member: false });
  });

  test('declares packages of its own ecosystem only', () => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('', node, declaring('package.json', 'packages/*')));
    expect(descent.relate('packages/a/', holding('Cargo.toml')).member).toBe(false);
    expect(descent.relate('packages/a/', holding('Cargo.toml', 'package.json')).member).toBe(true);
  });

  test('accepts every folder, if it is an editor workspace', () => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('', node, declaring('team.code-workspace', 'a')));
    expect(descent.relate('a/', holding('Cargo.toml')).member).toBe(true);
  });

  test('declares relative to itself', () => {
    const descent = new SearchDescent(undefined);
    descent.push(projectAt('x/y/', node, declaring('package.json', 'packages/*')));
    expect(descent.relate('x/y/packages/a/', node).member).toBe(true);
    expect(descent.relate('x/y/a/', node).member).toBe(false);
  });
});

describe('a directory is a project', () => {
  test.each([
    ['with a marker of the product, wherever it is', ['.blue'], [], true],
    ['with version control, wherever it is', ['.git'], ['.git'], true],
    ['with a manifest, also within another project', ['package.json'], ['package.json'], true],
    ['with a weak marker, if nothing better is around', ['Makefile'], [], false],
    ['with a file of an editor, if nothing better is around', ['a.code-workspace'], [], false],
    ['with a weak marker below another weak one', ['requirements.txt'], ['requirements.txt'], false],
    ['at the top of a chain', ['CMakeLists.txt'], [], true],
    ['in a chain, for a better reason', ['CMakeLists.txt', 'package.json'], ['CMakeLists.txt'], true],
    ['in a chain of something else', ['meson.build'], ['Makefile'], true],
  ])('%s', (_case, here, above, isWithin) => {
    expect(revealsProject(holding(...here), { above: holding(...above), isWithin })).toBe(true);
  });
});

describe('a directory is not a project', () => {
  test.each([
    ['without a marker', [], [], false],
    ['with a weak marker within something better', ['Makefile', '.idea'], [], true],
    ['that continues a chain', ['CMakeLists.txt'], ['CMakeLists.txt'], true],
    ['that continues a weak chain', ['Makefile'], ['GNUmakefile'], false],
  ])('%s', (_case, here, above, isWithin) => {
    expect(revealsProject(holding(...here), { above: holding(...above), isWithin })).toBe(false);
  });
});

test('the directory above may hold nothing', () => {
  expect(revealsProject(holding('Makefile'), { above: undefined, isWithin: false })).toBe(true);
});

test.each([
  [['.blue'], true],
  [['.git'], true],
  [['Makefile', 'go.mod'], true],
  [['Makefile', '.idea'], false],
  [[], false],
])('%j are strong: %s', (names, expected) => {
  expect(isStrong(holding(...names))).toBe(expected);
});
