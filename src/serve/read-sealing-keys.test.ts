import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { readSealingKeys } from './read-sealing-keys.ts';

const [first, second] = ['a'.repeat(44), 'b'.repeat(44)];

test('a key is the same wherever it is written, and its name tells nothing of it', async () => {
  using tree = tempTree([`key = ${first}`]);
  const file = await readSealingKeys({ sealingKey: undefined, sealingKeyFile: tree.at('key') });
  const [key] = await readSealingKeys({ sealingKey: first, sealingKeyFile: undefined });
  expect(file).toEqual([key]);
  expect(key?.secret).toHaveLength(32);
  expect(first).not.toContain(key?.id);
});

test('two keys are two, in their order', async () => {
  const both = await readSealingKeys({ sealingKey: `${first},${second}`, sealingKeyFile: undefined });
  const [other] = await readSealingKeys({ sealingKey: second, sealingKeyFile: undefined });
  expect(both).toHaveLength(2);
  expect(both[1]).toEqual(other);
});

test('nothing said is no key', async () => {
  expect(await readSealingKeys({ sealingKey: undefined, sealingKeyFile: undefined })).toEqual([]);
});

test.each([
  ['short', 'x'.repeat(31), 'fewer than 32'],
  ['one of three', [first, second, first].join(','), 'more than two'],
])('a key that is %s is refused', async (_title, sealingKey, reason) => {
  await expect(readSealingKeys({ sealingKey, sealingKeyFile: undefined })).rejects.toThrow(reason);
});

test('a file that is not there, or has none, is refused by name', async () => {
  using tree = tempTree(['empty = ']);
  for (const name of ['empty', 'nothing']) {
    const reading = readSealingKeys({ sealingKey: undefined, sealingKeyFile: tree.at(name) });
    await expect(reading).rejects.toThrow('--sealing-key-file');
  }
});
