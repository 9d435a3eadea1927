import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { builtPage, loadPage } from './page-files.ts';

test('loads the files of a page by URL, and nothing else', async () => {
  using tree = tempTree([
    'index.html = <p>',
    'assets/a.js',
    'assets/a.css',
    'assets/a.js.map',
    'notes.txt',
    'x.svg => /etc/hostname',
  ]);
  const files = await loadPage(tree.path);
  expect([...files.keys()].toSorted()).toEqual(['/', '/assets/a.css', '/assets/a.js']);
  expect(files.get('/')?.type).toBe('text/html; charset=utf-8');
});

test('finds the built page next to the server', () => {
  expect(builtPage).toMatch(/[\\/]web[\\/]page$/);
});
