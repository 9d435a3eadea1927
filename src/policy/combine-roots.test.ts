import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativePath } from '../../test/path-arbitraries.ts';
import { isInside } from '../path/inside.ts';
import type { Platform } from '../path/platform.ts';
import type { Root } from '../path/root.ts';
import { type Combination, combineRoots, type EffectiveRoot } from './combine-roots.ts';

function rootAt(path: string, owner = 'client'): Root {
  return { uri: `test:${path}`, path, name: `${owner} ${path}`, kind: 'directory' };
}

function combine(
  combination: Combination,
  ceiling: readonly string[],
  listed: readonly string[],
  platform: Platform = 'posix',
): readonly EffectiveRoot[] {
  const sides = {
    ceiling: ceiling.map((path) => rootAt(path, 'operator')),
    listed: listed.map((path) => rootAt(path)),
  };
  return combineRoots(combination, sides, { platform });
}

/** `operator /a` or `client /a/b`. */
function namesOf(roots: readonly Root[]): readonly string[] {
  return roots.map(({ name }) => name);
}

describe('the intersection', () => {
  test.each<[string, string[], string[], string[]]>([
    ['a root beneath the ceiling stays as it is', ['/a'], ['/a/b'], ['client /a/b']],
    ['a ceiling beneath the root is what remains', ['/a/b'], ['/a'], ['operator /a/b']],
    ['of two equal ones the operator’s remains', ['/a'], ['/a'], ['operator /a']],
    ['what is apart is gone', ['/a'], ['/b', '/ab', '/'.concat('a-old')], []],
    ['each root for itself', ['/a', '/b/c'], ['/x', '/b', '/a/y'], ['client /a/y', 'operator /b/c']],
    ['both at once', ['/a', '/a/b/c'], ['/a/b'], ['client /a/b', 'operator /a/b/c']],
    ['the whole disk narrows nothing', ['/a', '/b'], ['/'], ['operator /a', 'operator /b']],
    ['a ceiling that is the whole disk takes all', ['/'], ['/a', '/b'], ['client /a', 'client /b']],
    ['the same root twice is one', ['/a'], ['/a/b', '/a/b'], ['client /a/b']],
    ['no ceiling, nothing', [], ['/a'], []],
    ['no roots, nothing', ['/a'], [], []],
  ])('%s', (_title, ceiling, listed, expected) => {
    expect(namesOf(combine('those ∩ listed', ceiling, listed))).toEqual(expected);
  });

  test('compares as the platform does', () => {
    expect(namesOf(combine('those ∩ listed', ['C:\\App'], ['c:\\app'], 'win32'))).toEqual([
      'operator C:\\App',
    ]);
    expect(namesOf(combine('those ∩ listed', ['/App'], ['/app']))).toEqual([]);
  });
});

describe('the union', () => {
  test('keeps nested roots and drops duplicates, the operator’s first', () => {
    expect(namesOf(combine('those ∪ listed', ['/a', '/b'], ['/a/c', '/b', '/x']))).toEqual([
      'operator /a',
      'operator /b',
      'client /a/c',
      'client /x',
    ]);
  });
});

describe('one side', () => {
  test('is taken without the other', () => {
    expect(namesOf(combine('those', ['/a', '/a'], ['/b']))).toEqual(['operator /a']);
    expect(namesOf(combine('listed', ['/a'], ['/b', '/b']))).toEqual(['client /b']);
  });

  test('of the client gives way to the operator’s root of the same place', () => {
    expect(namesOf(combine('listed', ['/a'], ['/a', '/b']))).toEqual(['operator /a', 'client /b']);
  });
});

describe('the place in the ceiling', () => {
  test('is known for what the client named beneath it', () => {
    for (const combination of ['those ∩ listed', 'those ∪ listed', 'listed'] as const) {
      const roots = combine(combination, ['/a', '/a/b'], ['/a/b/.ssh/keys']);
      expect(roots.find(({ path }) => path === '/a/b/.ssh/keys')?.ceiling).toEqual({
        root: 'operator /a/b',
        relative: '.ssh/keys',
      });
    }
  });

  test('is spelled with slashes, and a backslash in a posix name stays one', () => {
    expect(combine('those ∩ listed', ['C:\\a'], ['C:\\a\\b\\c'], 'win32')[0]?.ceiling?.relative).toBe('b/c');
    expect(combine('those ∩ listed', ['/a'], ['/a/b\\c'])[0]?.ceiling?.relative).toBe('b\\c');
  });

  test('is absent for the operator’s roots and for those elsewhere', () => {
    const roots = combine('those ∪ listed', ['/a', '/a/b'], ['/a', '/c']);
    expect(roots.filter((root) => 'ceiling' in root)).toEqual([]);
  });
});

describe.each(['posix', 'win32'] as const)('on %s', (platform) => {
  const paths = fc.array(nativePath(platform), { maxLength: 5 });
  const holds = (roots: readonly string[], path: string): boolean =>
    roots.some((root) => isInside(root, path, { platform }));
  const pathsOf = (roots: readonly Root[]): string[] => roots.map(({ path }) => path);

  test('the intersection holds exactly what both sides hold', () => {
    fc.assert(
      fc.property(paths, paths, paths, (ceiling, listed, others) => {
        const both = pathsOf(combine('those ∩ listed', ceiling, listed, platform));
        for (const path of [...ceiling, ...listed, ...others]) {
          expect(holds(both, path)).toBe(holds(ceiling, path) && holds(listed, path));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the union holds exactly what either side holds', () => {
    fc.assert(
      fc.property(paths, paths, paths, (ceiling, listed, others) => {
        const all = pathsOf(combine('those ∪ listed', ceiling, listed, platform));
        for (const path of [...ceiling, ...listed, ...others]) {
          expect(holds(all, path)).toBe(holds(ceiling, path) || holds(listed, path));
        }
      }),
      { numRuns: 300 },
    );
  });
});
