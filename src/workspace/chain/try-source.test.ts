import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { allSources } from '../sources/all-sources.ts';
import { findProfile } from '../sources/profile.ts';
import { createChainContext, type ResolveOptions } from './chain-context.ts';
import type { UsablePlace } from './judge-place.ts';
import { choosePrimary, trySource } from './try-source.ts';

const disk = memoryDisk(['/p/a', '/p/b', '/p/a/.blue', '/p/a/notes.md']);
const around = { platform: 'posix', home: '/home/u' } as const;

function tryRoots(texts: readonly string[], options: ResolveOptions = {}) {
  const context = createChainContext({}, options, { around, disk });
  return trySource(
    context,
    allSources.roots,
    texts.map((text) => ({ text })),
  );
}

describe('trySource', () => {
  test('takes usable places, and gives the reasons against the others', async () => {
    const { chosen, issues } = await tryRoots(['/gone', '/p/a', '/p/b']);
    expect(chosen?.places.map(({ path }) => path)).toEqual(['/p/a', '/p/b']);
    expect(chosen).toMatchObject({ project: { location: '/p/a' }, arbitrary: true });
    expect(issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('gives every reason if none can be used', async () => {
    expect(await tryRoots(['/gone', 'x'])).toMatchObject({
      chosen: undefined,
      reason: 'it does not exist; it is not absolute',
    });
  });

  test('names the place that lacks a required marker', async () => {
    const options = { preset: 'rfc-0020' } as const;
    expect(await tryRoots(['/p/b'], options)).toMatchObject({ chosen: undefined, unmarked: '/p/b' });
    expect((await tryRoots(['/p/a'], options)).chosen?.project.location).toBe('/p/a');
  });

  test('takes a later key of a request only if an earlier one names no usable place', async () => {
    const context = createChainContext({}, { needsOne: true }, { around, disk });
    const both = [
      { text: '/p/a', via: 'sandboxCwd' },
      { text: '/p/b', via: 'workspaces' },
    ];
    const one = await trySource(context, allSources['request-meta'], both);
    expect(one.chosen?.places.map(({ path }) => path)).toEqual(['/p/a']);
    expect(one.chosen?.arbitrary).toBe(false);
    const opaque = [{ text: 'file:///%00/bad', via: 'sandboxCwd' }, ...both.slice(1)];
    const other = await trySource(context, allSources['request-meta'], opaque);
    expect(other.chosen?.project.location).toBe('/p/b');
  });
});

const place = (path: string): UsablePlace => ({
  path,
  real: path,
  kind: 'directory',
  name: undefined,
  via: undefined,
  trust: 'certain',
});
const several = [place('/a'), place('/b'), place('/b/c')] as const;
const claude = findProfile(allProfiles, 'claude-code');

describe('of several roots', () => {
  test('the one that the variable of the client names is the project', () => {
    const signals = { environment: { CLAUDE_PROJECT_DIR: '/b/' }, cwd: '/a' };
    expect(choosePrimary(several, signals, claude, 'posix')).toMatchObject({
      place: { path: '/b' },
      arbitrary: false,
    });
  });

  test('a variable that names none of them decides nothing', () => {
    const signals = { environment: { CLAUDE_PROJECT_DIR: '/elsewhere' }, cwd: '/b/c/d' };
    expect(choosePrimary(several, signals, claude, 'posix')).toMatchObject({
      place: { path: '/b/c' },
      arbitrary: false,
    });
  });

  test('the innermost one that contains the current directory is next', () => {
    expect(choosePrimary(several, { cwd: '/b/x' }, undefined, 'posix').place.path).toBe('/b');
  });

  test('else it is the first, and marked as arbitrary', () => {
    expect(choosePrimary(several, { cwd: '/elsewhere' }, undefined, 'posix')).toMatchObject({
      place: { path: '/a' },
      reason: 'it is the first of 3',
      arbitrary: true,
    });
  });
});

test('a single root needs no choice', () => {
  expect(choosePrimary([place('/a')], {}, undefined, 'posix')).toMatchObject({ arbitrary: false });
});
