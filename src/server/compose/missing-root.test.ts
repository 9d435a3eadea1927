import { expect, test } from 'vitest';
import { rmSync } from 'node:fs';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findMissingRoot } from './missing-root.ts';

const issue = { code: 'missing', effect: 'dropped', message: 'it does not exist', hint: '' } as const;

test('finds the granted root that is gone, by path or URI, and the one that held a path', () => {
  const issues = [
    { ...issue, entry: '/g/one' },
    { ...issue, entry: 'file:///g/two' },
  ];
  expect(findMissingRoot(issues)).toBe('one');
  expect(findMissingRoot(issues, '/g/two/a.txt')).toBe('two');
  expect(findMissingRoot(issues, 'file:///g/one/a.txt')).toBe('one');
  expect(findMissingRoot(issues, '/g/three')).toBeUndefined();
  expect(findMissingRoot([{ ...issue, code: 'nested', entry: '/g/one' }])).toBeUndefined();
});

test('a call on a granted folder that is gone says so', async () => {
  using tree = tempTree(['app/', 'lib/']);
  rmSync(tree.at('lib'), { recursive: true });
  await using pair = await connectLegacy({ sdk: 'v2', roots: [tree.at('app'), tree.at('lib')] });
  const { text } = await pair.call('read', { path: tree.at('lib/a.txt') });
  expect(text).toContain('the folder of root "lib" is gone');
});
