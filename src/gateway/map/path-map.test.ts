import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInside } from '../../path/inside.ts';
import { createPathMap, isNamedBy, mapText, type PathMap, type PathMapping } from './path-map.ts';
import { readMapping, readPlace, toMapping } from './read-mapping.ts';

function flag(text: string): PathMapping {
  const read = readMapping(text);
  if ('fault' in read) throw new Error(read.fault);
  return read;
}

const map = createPathMap([flag('C:\\app=/work'), flag('C:\\app\\lib=/lib'), flag('D:\\=/d')]);

describe('P1, P2: the longest mapping wins, by components, each side in its own spelling', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['C:\\app', '/work'],
    ['c:/APP/Src/a b.ts', '/work/Src/a b.ts'],
    ['C:\\app\\lib\\x', '/lib/x'],
    ['C:\\app\\library', '/work/library'],
    ['C:\\app-old\\x', undefined],
    ['C:\\', undefined],
    ['D:\\x\\', '/d/x/'],
    ['D:\\', '/d/'],
    ['file:///c%3A/app/a%20b', 'file:///work/a%20b'],
    ['file:///C:/app/', 'file:///work/'],
    ['C:\\app\\..\\other', undefined],
    ['C:\\app\\x\\..\\y', '/work/x/../y'],
    ['file:///C:/app/../x', undefined],
    ['file://host/C:/app', undefined],
    ['see C:\\app\\x', undefined],
    ['C:\\app\\x is here', '/work/x is here'],
    ['app\\x', undefined],
    ['', undefined],
    ['https://a/C:/app', undefined],
  ];
  test.each(cases)('%j of the client is %j of the server', (text, mapped) => {
    expect(mapText(map, 'client', text)).toBe(mapped);
  });

  test.each([
    ['/work/a b', 'C:\\app\\a b'],
    ['/WORK/a', undefined],
    ['file:///work/a%20b', 'file:///C:/app/a%20b'],
    ['file:///d', 'file:///D:/'],
    ['/lib/x', 'C:\\app\\lib\\x'],
    ['/work/a:b', undefined],
    ['/work/aux', undefined],
    ['/work/a\\b', undefined],
  ])('%j of the server is %j of the client', (text, mapped) => {
    expect(mapText(map, 'server', text)).toBe(mapped);
  });
});

const plainName = fc.stringMatching(/^[a-z][a-z0-9 _#%-]{0,8}[a-z0-9]$/);
const names = fc.array(plainName, { maxLength: 4 });
const posix = names.map((parts) => `/srv/${parts.join('/')}`.replace(/\/$/, ''));
const windows = names.map((parts) => ['C:', 'work', ...parts].join('\\'));
const runs = { numRuns: 200 };

/** A mapping of a Windows client, and a path of that client that may be below it. */
const scenes = fc.record({ client: windows, server: posix, path: windows, rest: names });

function mapOf(client: string, server: string): PathMap {
  return createPathMap(toMapping(readPlace(client), readPlace(server), 'flag'));
}

test('P2: there and back is where it began, for paths and URIs', () => {
  fc.assert(
    fc.property(scenes, fc.boolean(), ({ client, server, rest }, asUri) => {
      const scene = mapOf(client, server);
      const path = [client, ...rest].join('\\');
      const text = asUri
        ? `file:///${path.split('\\').map(encodeURIComponent).join('/')}`.replace('%3A', ':')
        : path;
      const there = mapText(scene, 'client', text) ?? '';
      expect(mapText(scene, 'server', there)).toBe(text);
    }),
    runs,
  );
});

test('P3: mapping twice is mapping once', () => {
  fc.assert(
    fc.property(scenes, ({ client, server, path }) => {
      const scene = mapOf(client, server);
      const once = mapText(scene, 'client', path) ?? path;
      expect(mapText(scene, 'client', once) ?? once).toBe(once);
    }),
    runs,
  );
  fc.assert(
    fc.property(posix, posix, posix, (client, server, path) => {
      const scene = mapOf(client, server);
      const once = mapText(scene, 'client', path) ?? path;
      expect(mapText(scene, 'client', once) ?? once).toBe(once);
    }),
    runs,
  );
});

test('P7: a path is mapped below the other name exactly if it is below the first', () => {
  const tail = fc.constantFrom('', '\\..', '\\..\\..', '\\x\\..', '-old');
  fc.assert(
    fc.property(scenes, tail, ({ client, server, path }, end) => {
      const mapped = mapText(mapOf(client, server), 'client', path + end);
      const isBelow = isInside(client, path + end, { platform: 'win32' });
      expect(mapped !== undefined).toBe(isBelow);
      if (mapped !== undefined) expect(isInside(server, mapped, { platform: 'posix' })).toBe(true);
    }),
    runs,
  );
});

describe('P12: a flag beats what was found', () => {
  const found = (text: string): PathMapping => ({ ...flag(text), source: 'container' });

  test('for the same name of either side', () => {
    const { mappings } = createPathMap([
      found('/a=/x'),
      found('/b=/y'),
      found('/c=/z'),
      flag('/a=/new'),
      flag('/new2=/y'),
    ]);
    expect(mappings.map(({ client, server }) => [client.path, server.path])).toStrictEqual([
      ['/a', '/new'],
      ['/new2', '/y'],
      ['/c', '/z'],
    ]);
  });

  test('a mapping that is said twice is there once', () => {
    expect(createPathMap([found('/a=/x'), flag('/a=/x'), found('/a=/x')]).mappings).toHaveLength(1);
  });
});

test.each([['/a=/a/b'], ['/a/b=/a'], ['/=/host'], ['/a=/b', '/b=/c'], ['/a=/b', '/b/c=/a/d']])(
  'P3: names that overlap are refused: %s %s',
  (...texts) => {
    const { mappings, refused } = createPathMap(texts.map((text) => flag(text)));
    expect(refused.length).toBeGreaterThan(0);
    for (const { why } of refused) expect(why).toMatch(/inside|overlap/);
    for (const mapping of mappings)
      expect(mapText({ mappings, refused: [] }, 'client', mapping.client.path)).toBeDefined();
  },
);

test('a directory with one name on both sides is no overlap', () => {
  const same = createPathMap([flag('/a=/a'), flag('/b=/c')]);
  expect(same.refused).toStrictEqual([]);
  expect(mapText(same, 'client', '/a/x')).toBe('/a/x');
});

test('a text is named by a side that has a mapping for it', () => {
  expect(isNamedBy(map, 'server', '/work/x')).toBe(true);
  expect(isNamedBy(map, 'server', 'C:\\app')).toBe(false);
});
