import { describe, expect, test } from 'vitest';
import type { FoundMarkers } from './find-markers.ts';
import { matchMarker } from './markers.ts';
import { isStrong, revealsProject } from './reveals-project.ts';

function found(...names: readonly string[]): FoundMarkers {
  const known = names.flatMap((name) => {
    const marker = matchMarker(name);
    return marker === undefined ? [] : [{ name, marker }];
  });
  return { product: names.filter((name) => name === '.blue'), known };
}

const alone = { above: undefined, isWithin: false };

describe('a directory is a project of its own', () => {
  test.each([['.git'], ['package.json'], ['.blue'], ['Makefile'], ['CMakeLists.txt']])(
    'with %s, where it stands alone',
    (name) => {
      expect(revealsProject(found(name), alone)).toBe(true);
    },
  );

  test('with a repository or a manifest, also within another', () => {
    expect(revealsProject(found('.git'), { above: found('.git'), isWithin: true })).toBe(true);
    expect(revealsProject(found('package.json'), { above: found('package.json'), isWithin: true })).toBe(
      true,
    );
  });
});

describe('a directory is none', () => {
  test('with a Makefile within something better', () => {
    expect(revealsProject(found('Makefile'), { above: undefined, isWithin: true })).toBe(false);
  });

  test('with a marker that only continues the one above it', () => {
    expect(revealsProject(found('CMakeLists.txt'), { above: found('CMakeLists.txt'), isWithin: true })).toBe(
      false,
    );
  });

  test('with nothing', () => {
    expect(revealsProject(found(), alone)).toBe(false);
  });
});

test('more than a Makefile is strong', () => {
  expect(isStrong(found('Makefile'))).toBe(false);
  expect(isStrong(found('Makefile', 'go.mod'))).toBe(true);
  expect(isStrong(found('.blue'))).toBe(true);
});
