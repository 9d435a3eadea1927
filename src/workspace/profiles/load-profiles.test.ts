import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { loadProfiles } from './load-profiles.ts';

test('reads rows with comments and trailing commas', async () => {
  using tree = tempTree(['p.jsonc = // mine\n[{ "id": "x", "match": [["exact", "x"]], "remedy": "y", },]']);
  expect(await loadProfiles(tree.at('p.jsonc'))).toMatchObject([{ id: 'x', remedy: 'y' }]);
});

test.each([
  ['[\n  { "id": "x" "match" }\n]', 'p.jsonc:2:'],
  [
    '[\n  { "id": "x",\n    "match": [["like", "x"]], "remedy": "y" }]',
    'p.jsonc:3:16 [0].match[0][0]: it is "like"; use one of: exact',
  ],
  ['[\n  { "id": "x", "match": [] }]', 'p.jsonc:2:3 [0]: "remedy" is missing'],
  [
    '[{ "id": "x", "match": [], "remedy": "y",\n  "order": [\n    "walk-up",\n    "argument"] }]',
    'p.jsonc:4:5 [0].order[1]: argument is expected before walk-up',
  ],
  ['{}', 'p.jsonc:1:1 at the top: it is an object, not a list'],
])('names file, line and what was expected of %j', async (text, words) => {
  using tree = tempTree();
  tree.add(`p.jsonc = ${text}`);
  await expect(loadProfiles(tree.at('p.jsonc'))).rejects.toMatchObject({
    code: 'INVALID_PROFILE',
    message: expect.stringContaining(words),
  });
});

test('a missing file is reported', async () => {
  using tree = tempTree();
  await expect(loadProfiles(tree.at('gone.json'))).rejects.toMatchObject({
    code: 'INVALID_PROFILE',
    data: { where: tree.at('gone.json') },
  });
});
