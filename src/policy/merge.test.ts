import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativePath } from '../../test/path-arbitraries.ts';
import { isInside } from '../path/inside.ts';
import type { Root } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import { merge, type Merged } from './merge.ts';
import { mergeModes } from './merge-outcome.ts';

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

  test('is nothing where nothing is in common', () => {
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

  test('tells "named none that exist" from "named none"', () => {
    expect(merge([], { state: 'unsupported' }, 'operator', posix).kind).toBe('nothing');
    expect(merge(undefined, { state: 'unsupported' }, 'operator', posix).kind).toBe('detected');
  });

  test('keeps the rules of the operator over what a client names beneath a directory', () => {
    const merged = merge(rootsAt('/home/me'), listed('/home/me/.ssh'), 'intersect', posix);
    expect(merged).toMatchObject({
      roots: [{ path: '/home/me/.ssh', ceiling: { root: '/home/me', relative: '.ssh' } }],
    });
  });
});

describe('whatever is named', () => {
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
