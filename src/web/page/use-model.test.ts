import { expect, test } from 'vitest';
import { ModelContext } from './use-model.ts';

test('there is no model unless somebody provides one', () => {
  expect(ModelContext).toHaveProperty('Provider');
});
