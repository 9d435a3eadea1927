import { expect, test } from 'vitest';
import { isOwnToolName, ownToolNames } from './own-tool-name.ts';

test('three names are ours', () => {
  expect(ownToolNames).toEqual(['list_roots', 'switch_project', 'why']);
  expect(ownToolNames.every(isOwnToolName)).toBe(true);
});

test.each(['where', 'toString', '', undefined, 5])('%j is not', (name) => {
  expect(isOwnToolName(name)).toBe(false);
});
