import { linkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { createEntryReader } from './entry-reader.ts';
import { createPathDriver } from './path-driver.ts';

const driver = createPathDriver({ level: 'verified', noFollow: 0 });

test('gives the entries of a small directory at once', () => {
  using tree = tempTree(['a', 'd/', 'l => a']);
  const directory = driver.openTop(tree.path);
  const reader = createEntryReader(driver, directory);
  expect(reader.whole).toBe(true);
  const names = reader.next()?.map(({ name }) => name);
  expect(names?.toSorted()).toEqual(['a', 'd', 'l']);
  expect(reader.next()).toBeUndefined();
  reader.close();
  driver.close(directory);
});

test('gives the entries of a large directory in parts, each once', () => {
  using tree = tempTree();
  writeFileSync(tree.at('0'.repeat(200)), '');
  for (let index = 1; index < 3_000; index += 1) {
    linkSync(tree.at('0'.repeat(200)), tree.at(String(index).padStart(200, '0')));
  }
  const directory = driver.openTop(tree.path);
  const reader = createEntryReader(driver, directory);
  expect(reader.whole).toBe(false);
  const names = new Set<string>();
  let parts = 0;
  for (let part = reader.next(); part !== undefined; part = reader.next()) {
    parts += 1;
    for (const { name } of part) names.add(name);
  }
  reader.close();
  driver.close(directory);
  expect(names.size).toBe(3_000);
  expect(parts).toBe(3);
});
