import { expect, test } from 'vitest';
import { parseJsonc } from '../../base/parse-jsonc.ts';
import { currentVersion, newStore } from './store-document.ts';

test('a new file has no roots', () => {
  expect(parseJsonc(newStore)).toMatchObject({ value: { version: currentVersion, revision: 0, roots: [] } });
});
