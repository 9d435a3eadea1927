import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { createBound } from './bound.ts';
import { type JudgeContext, judgePlace } from './judge-place.ts';
import { allSources } from '../sources/all-sources.ts';

const context: JudgeContext = {
  around: { platform: 'posix', home: '/home/u', temporary: '/tmp' },
  disk: memoryDisk(['/home/u', '/home/u/app', '/home/u/app/a.txt', '/home/u/c#x', '/mnt/c/app', '/']),
  guard: true,
  mustExist: true,
  bound: undefined,
};

function boundTo(roots: readonly string[], everyone: boolean): JudgeContext {
  return { ...context, bound: createBound(roots, { platform: 'posix', disk: context.disk, everyone }) };
}

describe('judgePlace', () => {
  test('reads paths and URIs alike', async () => {
    for (const text of ['/home/u/app', 'file:///home/u/app', '/home/u/app/']) {
      expect(await judgePlace(context, allSources.pinned, { text })).toEqual({
        place: {
          path: '/home/u/app',
          real: '/home/u/app',
          kind: 'directory',
          name: undefined,
          via: undefined,
          trust: 'certain',
        },
        issues: [],
      });
    }
  });

  test('distinguishes a file from a directory', async () => {
    const { place } = await judgePlace(context, allSources.roots, { text: '/home/u/app/a.txt', name: 'A' });
    expect(place).toMatchObject({ kind: 'file', name: 'A' });
  });

  test.each([
    ['.', 'not absolute'],
    ['..', 'not absolute'],
    ['./foo', 'not absolute'],
    ['${workspaceFolder}', '${workspaceFolder}'],
    ['vscode-remote://x/y', 'scheme'],
    ['/home/u/gone', 'does not exist'],
    ['', 'empty'],
  ])('refuses %j: %s', async (text, words) => {
    const { place, refusal } = await judgePlace(context, allSources.pinned, { text });
    expect(place).toBeUndefined();
    expect(refusal).toContain(words);
  });

  test('takes the likelier meaning if it exists on the disk', async () => {
    expect((await judgePlace(context, allSources.pinned, { text: 'file:///home/u/c#x' })).place?.path).toBe(
      '/home/u/c#x',
    );
    expect((await judgePlace(context, allSources.pinned, { text: 'file:///c%3A/app' })).place?.path).toBe(
      '/mnt/c/app',
    );
    expect(
      (await judgePlace(context, allSources.pinned, { text: 'file:///home/u/d#x' })).place,
    ).toBeUndefined();
  });

  test('refuses a dangerous place from a weak source, and warns of an explicit one', async () => {
    expect(await judgePlace(context, allSources.pwd, { text: '/home/u' })).toMatchObject({
      refusal: 'it is the home directory',
    });
    const named = await judgePlace(context, allSources.roots, { text: '/home/u' });
    expect(named.place?.path).toBe('/home/u');
    expect(named.issues).toEqual([expect.objectContaining({ code: 'too-broad', effect: 'warned' })]);
    const unguarded = await judgePlace({ ...context, guard: false }, allSources.pwd, { text: '/home/u' });
    expect(unguarded.place?.path).toBe('/home/u');
  });

  test("keeps the caller's choice within the allowed roots", async () => {
    const bounded = boundTo(['/home/u/app'], false);
    expect((await judgePlace(bounded, allSources.argument, { text: '/home/u/app' })).place).toBeDefined();
    expect(await judgePlace(bounded, allSources.argument, { text: '/home/u' })).toMatchObject({
      refusal: 'it is outside of what is allowed',
    });
    expect((await judgePlace(bounded, allSources.pinned, { text: '/home/u/c#x' })).place).toBeDefined();
  });

  test('keeps every place within the effective roots', async () => {
    const bounded = boundTo(['/home/u/app'], true);
    for (const source of Object.values(allSources)) {
      expect((await judgePlace(bounded, source, { text: '/home/u/app' })).place).toBeDefined();
      expect(await judgePlace(bounded, source, { text: '/mnt/c/app' })).toEqual({
        refusal: 'it is outside of what is allowed',
        issues: [],
      });
      // The refusal must not reveal whether it exists.
      expect(await judgePlace(bounded, source, { text: '/mnt/c/gone' })).toEqual({
        refusal: 'it is outside of what is allowed',
        issues: [],
      });
      expect((await judgePlace(boundTo([], true), source, { text: '/home/u/app' })).place).toBeUndefined();
    }
  });

  test('accepts a missing place by its text, if that is enough', async () => {
    const lenient = { ...context, mustExist: false };
    expect(await judgePlace(lenient, allSources.pwd, { text: '/home/u/gone', via: 'PWD' })).toEqual({
      place: {
        path: '/home/u/gone',
        real: '/home/u/gone',
        kind: 'unknown',
        name: undefined,
        via: 'PWD',
        trust: 'weak',
      },
      issues: [],
    });
    expect(await judgePlace(lenient, allSources.pwd, { text: 'gone' })).not.toHaveProperty('place');
  });

  test('keeps a lower trust', async () => {
    const { place } = await judgePlace(context, allSources['client-env'], {
      text: '/home/u/app',
      trust: 'weak',
    });
    expect(place?.trust).toBe('weak');
    const raised = await judgePlace(context, allSources.pwd, { text: '/home/u/app', trust: 'certain' });
    expect(raised.place?.trust).toBe('weak');
  });
});
