import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativePath } from '../../test/support/trees/path-arbitraries.ts';
import { isInside } from '../path/inside.ts';
import type { Platform } from '../path/platform.ts';
import type { Root } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import {
  type RootCombination,
  combineRoots,
  type EffectiveRoot,
  explainOutcome,
  merge,
  type Merged,
  mergeModes,
  outcomeOf,
} from './merge.ts';

function rootsAt(...paths: readonly string[]): readonly Root[] {
  return paths.map((path) => ({ uri: `test:${path}`, path, name: path, kind: 'directory' }));
}

const posix = { platform: 'posix' } as const;

function listed(...paths: readonly string[]): RootsAnswer {
  return { state: 'listed', roots: rootsAt(...paths) };
}

function pathsOf(merged: Merged): readonly string[] {
  return merged.kind === 'roots' ? merged.roots.map(({ path }) => path) : [];
}

describe('merge', () => {
  test('gives the roots and the reason', () => {
    expect(merge(rootsAt('/srv'), { state: 'unsupported' }, 'intersect', posix)).toEqual({
      kind: 'roots',
      roots: rootsAt('/srv'),
      why: "intersect: the client was not asked or cannot be, so the operator's directories count",
    });
  });

  test('is nothing if the two sides have nothing in common', () => {
    expect(merge(rootsAt('/srv'), listed('/etc'), 'intersect', posix)).toEqual({
      kind: 'nothing',
      why: "intersect: the client listed roots, so what lies in the operator's directories and in the client's roots counts, and there are none",
    });
  });

  test.each(mergeModes)('in mode %s never detects a project instead of roots that cannot be used', (mode) => {
    if (mode !== 'operator') expect(merge(undefined, listed(), mode, posix).kind).toBe('nothing');
    expect(merge([], listed(), mode, posix).kind).toBe('nothing');
    expect(merge([], { state: 'unsupported' }, mode, posix).kind).toBe('nothing');
  });

  test('distinguishes "named none that exist" from "named none"', () => {
    expect(merge([], { state: 'unsupported' }, 'operator', posix).kind).toBe('nothing');
    expect(merge(undefined, { state: 'unsupported' }, 'operator', posix).kind).toBe('detected');
  });

  test("keeps the operator's rules over a root that a client names beneath", () => {
    const merged = merge(rootsAt('/home/me'), listed('/home/me/.ssh'), 'intersect', posix);
    expect(merged).toMatchObject({
      roots: [{ path: '/home/me/.ssh', ceiling: { root: '/home/me', relative: '.ssh' } }],
    });
  });
});

describe('for all roots', () => {
  const paths = fc.array(nativePath('posix'), { maxLength: 5 });
  const reason = 'no answer';
  const answer = fc.oneof(
    paths.map((each) => listed(...each)),
    fc.constantFrom<RootsAnswer>({ state: 'unasked' }, { state: 'unsupported' }),
    fc.boolean().map((revoked): RootsAnswer => ({ state: 'empty', revoked })),
    fc.boolean().map((afterChange): RootsAnswer => ({ state: 'failed', afterChange, reason })),
  );
  const mode = fc.constantFrom(...mergeModes);
  const inside = (roots: readonly string[], path: string): boolean =>
    roots.some((root) => isInside(root, path, posix));

  test('operator and intersect never reach beyond the ceiling', () => {
    fc.assert(
      fc.property(paths, answer, fc.constantFrom('operator', 'intersect'), (ceiling, given, chosen) => {
        const merged = merge(rootsAt(...ceiling), given, chosen, posix);
        expect(merged.kind).not.toBe('detected');
        expect(pathsOf(merged).filter((path) => !inside(ceiling, path))).toEqual([]);
      }),
    );
  });

  test('client holds what the client listed and nothing else', () => {
    fc.assert(
      fc.property(fc.option(paths, { nil: undefined }), answer, (ceiling, given) => {
        const merged = merge(ceiling && rootsAt(...ceiling), given, 'client', posix);
        const own = given.state === 'listed' ? given.roots.map(({ path }) => path) : [];
        expect(new Set(pathsOf(merged))).toEqual(new Set(own));
      }),
    );
  });

  test('nothing is ever an empty list of roots', () => {
    fc.assert(
      fc.property(fc.option(paths, { nil: undefined }), answer, mode, (ceiling, given, chosen) => {
        const merged = merge(ceiling && rootsAt(...ceiling), given, chosen, posix);
        expect(merged.kind === 'roots').toBe(pathsOf(merged).length > 0);
      }),
    );
  });
});

describe('the outcome', () => {
  test('of a client that was not asked equals that of one that cannot be asked', () => {
    for (const mode of mergeModes) {
      for (const named of [true, false]) {
        expect(outcomeOf(named, { state: 'unasked' }, mode)).toBe(
          outcomeOf(named, { state: 'unsupported' }, mode),
        );
      }
    }
  });

  test('is explained in a sentence', () => {
    expect(explainOutcome('detected', { state: 'unsupported' }, 'union')).toBe(
      'union: the client was not asked or cannot be, so the detected project counts',
    );
    expect(explainOutcome('nothing', { state: 'empty', revoked: true }, 'intersect')).toBe(
      'intersect: the client took its roots back, so nothing counts',
    );
  });

  test('shows the reason of a failure escaped', () => {
    const answer = { state: 'failed', afterChange: true, reason: 'late\n\u202Eok' } as const;
    expect(explainOutcome('nothing', answer, 'union')).toBe(
      'union: the client changed its roots and did not answer ("late\\u{a}\\u{202e}ok"), so nothing counts',
    );
  });
});

function rootAt(path: string, owner = 'client'): Root {
  return { uri: `test:${path}`, path, name: `${owner} ${path}`, kind: 'directory' };
}

function combine(
  combination: RootCombination,
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
