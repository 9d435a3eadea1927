import { expect, test } from 'vitest';
import { useRemoveRoot } from './use-remove-root.ts';

test('needs a page around it', () => {
  expect(() => useRemoveRoot()).toThrow();
});
