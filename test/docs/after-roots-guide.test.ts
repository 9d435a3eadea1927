import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceNames } from '../../src/workspace/sources/all-sources.ts';

test('the guide lists every source, in the order in which they are asked', () => {
  const guide = readFileSync(new URL('../../docs/guides/after-roots.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| source[^]*?\n((?:\|.*\n)+)/m.exec(guide) ?? [];
  expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)).toEqual(sourceNames);
});
