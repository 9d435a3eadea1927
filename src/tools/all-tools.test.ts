import { expect, test } from 'vitest';
import { allTools, referenceTools } from './all-tools.ts';

test('tool names are valid and unique', () => {
  const names = allTools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
});

test('read-only tools need only read and list', () => {
  const odd = allTools.filter(({ annotations, operations }) => {
    const changes = operations.some((operation) => operation !== 'read' && operation !== 'list');
    return annotations.readOnlyHint === changes;
  });
  expect(odd).toEqual([]);
});

test('every path argument explains its format', () => {
  const silent = allTools.filter(({ input: { shape } }) => shape['path'] && !shape['path'].description);
  expect(silent).toEqual([]);
});

test('the tools of the reference server come first', () => {
  expect(allTools.slice(0, referenceTools.length)).toEqual(referenceTools);
  expect(referenceTools).toHaveLength(14);
});
