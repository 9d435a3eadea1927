import { closeSync, openSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { identityOf } from './file-identity.ts';

test('tells two files apart, and knows one again under another name', () => {
  using tree = tempTree(['a', 'b']);
  const [one, other] = [openSync(tree.at('a'), 'r'), openSync(tree.at('b'), 'r')];
  renameSync(tree.at('a'), tree.at('c'));
  const again = openSync(tree.at('c'), 'a');
  try {
    expect(identityOf(again)).toBe(identityOf(one));
    expect(identityOf(other)).not.toBe(identityOf(one));
  } finally {
    for (const fd of [one, other, again]) closeSync(fd);
  }
});
