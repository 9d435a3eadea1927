import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { loadServeConfig } from './load-serve-config.ts';

test('reads a file with comments and a comma at the end', async () => {
  using tree = tempTree();
  tree.add('a.jsonc = { /* mine */ "merge": "client", }');
  expect(await loadServeConfig(tree.at('a.jsonc'))).toEqual({ merge: 'client' });
});

test.each<[title: string, text: string, place: string, reason: string]>([
  ['what is not JSON', '{\n  "merge" "client"\n}', ':2:11', 'colon expected'],
  ['a mistake, with line and column', '{\n  "merge": "both"\n}', ':2:12 merge', 'it is "both"'],
  ['a mistake within the policy', '{"policy": {\n "deny": ["ok", "!x"]}}', ':2:17 policy.deny[1]', ''],
  ['a mistake at a root with spaces', '{"policy": {"roots": {"my app": {"x": 1}}}}', ':1:39', 'unknown'],
  ['nothing', '', ':1:1', 'value expected'],
])('points at %s', async (_title, text, place, reason) => {
  using tree = tempTree();
  tree.add(`a.jsonc = ${text}`);
  await expect(loadServeConfig(tree.at('a.jsonc'))).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: {
      where: expect.stringContaining(`${tree.at('a.jsonc')}${place}`) as unknown,
      reason: expect.stringContaining(reason) as unknown,
    },
  });
});

test('says which file is missing', async () => {
  using tree = tempTree();
  await expect(loadServeConfig(tree.at('none.jsonc'))).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: tree.at('none.jsonc'), reason: 'Cannot read "none.jsonc": it does not exist' },
  });
});
