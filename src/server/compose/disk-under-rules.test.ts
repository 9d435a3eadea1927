import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { diskUnderRules } from './disk-under-rules.ts';

test('shows neither a denied directory nor the name in a denied manifest', async () => {
  using tree = tempTree(['no/a/', 'yes/go.mod = module told', 'no.mod/go.mod = module told', 'link => no/a']);
  const { roots } = parseRoots([{ uri: tree.path, name: 'app' }]);
  await using workspace = await openWorkspace(roots);
  const policy = parsePolicy({ allow: ['read'], deny: ['no', 'no.mod/go.mod'] });
  const disk = diskUnderRules(realDisk, { workspace, policy });
  const look = (path: string): unknown => disk.lookWithin?.(tree.path, path);
  for (const path of ['no', 'no/a', 'no/b', 'link', 'missing'])
    expect([path, await look(path)]).toEqual([path, undefined]);
  expect(await look('yes')).toMatchObject({ kind: 'directory' });
  expect(await look('../x')).toBe('outside');
  const { name, markers } = await disk.describe(join(tree.path, 'no.mod'));
  expect([name, markers]).toEqual(['no.mod', []]);
});
