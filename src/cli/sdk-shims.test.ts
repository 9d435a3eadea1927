import * as shims from '@modelcontextprotocol/server/_shims';
import { expect, test } from 'vitest';
import * as ours from './sdk-shims.ts';

const form = {
  type: 'object',
  properties: { age: { type: 'number', minimum: 0 } },
  required: ['age'],
} as const;

test('replaces every export of the SDK module', () => {
  expect(Object.keys(ours).toSorted()).toEqual(Object.keys(shims).toSorted());
});

test.each([{ age: 3 }, { age: -1 }, { age: 'old' }, {}, null])('validates as the SDK does: %j', (value) => {
  const expected = new shims.DefaultJsonSchemaValidator().getValidator(form)(value);
  expect(new ours.DefaultJsonSchemaValidator().getValidator(form)(value)).toEqual(expected);
});
