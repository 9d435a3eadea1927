import { expect, test } from 'vitest';
import { mapRefusals, mapRows } from './map-in-words.ts';
import { createPathMap } from './path-map.ts';
import { readPlace, toMapping } from './read-mapping.ts';

const map = createPathMap([
  ...toMapping(readPlace('/a'), readPlace('/x'), 'flag'),
  ...toMapping(readPlace('/a/b'), readPlace('/y'), 'container'),
  ...toMapping(readPlace('/c'), readPlace('/c/d'), 'wsl'),
]);

test('P12: the table has a row for each mapping, the first to match on top, with its source', () => {
  expect(mapRows(map)).toStrictEqual([
    { client: '/a/b', server: '/y', source: 'the command of the container' },
    { client: '/a', server: '/x', source: '--map' },
  ]);
});

test('P12: a mapping that is not used has a sentence', () => {
  expect(mapRefusals(map)).toStrictEqual([
    'Cannot map "/c" to "/c/d": one of its two names is inside the other',
  ]);
});
