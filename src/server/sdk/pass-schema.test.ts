import { CallToolRequestSchema as CallTool1 } from '@modelcontextprotocol/sdk/types.js';
import { CallToolRequestSchema as CallTool12 } from 'sdk-1.12/types.js';
import { expect, test } from 'vitest';
import { methodOf, methodSchema, passSchema } from './pass-schema.ts';

test('everything passes as it is, in the way of either SDK', () => {
  const odd = { roots: [null, 5, { uri: 7 }] };
  expect(passSchema.parse(odd)).toBe(odd);
  expect(passSchema.safeParse(odd)).toEqual({ success: true, data: odd });
  expect(passSchema['~standard'].validate(odd)).toEqual({ value: odd });
});

test.each([
  ['a method', 'tools/call'],
  ['a schema of SDK v1', CallTool1],
  ['a schema of SDK 1.12', CallTool12],
  ['one of ours', methodSchema('tools/call')],
])('the method is read from %s', (_name, schema) => {
  expect(methodOf(schema)).toBe('tools/call');
});

test.each([
  undefined,
  null,
  5,
  {},
  { shape: {} },
  { shape: { method: {} } },
  { shape: { method: { value: 5 } } },
])('there is no method in %j', (schema) => {
  expect(methodOf(schema)).toBeUndefined();
});
