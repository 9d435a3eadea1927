import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/memory-disk.ts';
import { createChainContext, type ResolveOptions } from './chain-context.ts';
import { allSources } from '../sources/all-sources.ts';
import { trySource } from './try-source.ts';

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
  test('takes the places that can be used, and says why the others cannot', async () => {
    const { chosen, issues } = await tryRoots(['/gone', '/p/a', '/p/b']);
    expect(chosen?.places.map(({ path }) => path)).toEqual(['/p/a', '/p/b']);
    expect(chosen).toMatchObject({ project: { location: '/p/a' }, arbitrary: true });
    expect(issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('gives every reason where none can be used', async () => {
    expect(await tryRoots(['/gone', 'x'])).toMatchObject({
      chosen: undefined,
      reason: 'it does not exist; it is not absolute',
    });
  });

  test('names the place that carries no marker, where one is demanded', async () => {
    const options = { preset: 'rfc-0020' } as const;
    expect(await tryRoots(['/p/b'], options)).toMatchObject({ chosen: undefined, unmarked: '/p/b' });
    expect((await tryRoots(['/p/a'], options)).chosen?.project.location).toBe('/p/a');
  });

  test('takes a later key of a request only where an earlier one names nothing that can be used', async () => {
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
