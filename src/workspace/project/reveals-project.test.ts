import { describe, expect, test } from 'vitest';
import { holding } from '../../../test/holding.ts';
import { isStrong, revealsProject } from './reveals-project.ts';

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

describe('a directory is no project', () => {
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
