import { expect, test } from 'vitest';
import { listWithProjectProperties, withProjectProperties } from './project-properties.ts';

test('adds cwd and project behind the own properties of a schema', () => {
  const schema = withProjectProperties({ type: 'object', properties: { path: {} }, required: ['path'] });
  expect(Object.keys(schema['properties'] as object)).toEqual(['path', 'cwd', 'project']);
  expect(schema['required']).toEqual(['path']);
});

test('leaves properties of those names alone, and schemas that refuse more', () => {
  const own = { type: 'object', properties: { cwd: { type: 'number' }, project: { type: 'number' } } };
  expect(withProjectProperties(own)).toEqual(own);
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  expect(withProjectProperties(closed)).toBe(closed);
});

test('covers every tool of a list, and passes anything else', () => {
  expect(listWithProjectProperties({ tools: [{ name: 'a' }], nextCursor: 'x' })).toMatchObject({
    tools: [{ name: 'a', inputSchema: { properties: { cwd: {}, project: {} } } }],
    nextCursor: 'x',
  });
  expect(listWithProjectProperties('nothing')).toBe('nothing');
});
