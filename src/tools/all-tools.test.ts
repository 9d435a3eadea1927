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

test('a tool that takes patterns or edits is watched while it computes', () => {
  const briefs = allTools.filter(({ isBrief }) => isBrief);
  expect(briefs.map(({ name }) => name)).toEqual([
    'read_file',
    'read_text_file',
    'read_media_file',
    'read_multiple_files',
    'write_file',
    'create_directory',
    'list_directory',
    'list_directory_with_sizes',
    'move_file',
    'get_file_info',
    'list_allowed_directories',
  ]);
  const keys = briefs.flatMap(({ input: { shape } }) => Object.keys(shape));
  expect(keys.filter((key) => /pattern|glob|edit|query/i.test(key))).toEqual([]);
});
