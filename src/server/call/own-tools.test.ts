import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownToolNames } from '../settings/settings.ts';
import { ownTools } from './own-tools.ts';

test.each(ownToolNames)('%s is plain JSON with input and output schemas', (name) => {
  const tool = ownTools[name];
  expect(JSON.parse(JSON.stringify(tool))).toEqual(tool);
  expect(tool).toMatchObject({ name, inputSchema: { type: 'object' }, outputSchema: { type: 'object' } });
  for (const schema of [tool.inputSchema, tool.outputSchema])
    expect(() => z.fromJSONSchema({ ...schema })).not.toThrow();
});

test('only switch_project changes something', () => {
  const changing = ownToolNames.filter((name) => ownTools[name].annotations['readOnlyHint'] === false);
  expect(changing).toEqual(['switch_project']);
});

test('the start directory is optional, and the project to switch to is required', () => {
  expect(ownTools.why.inputSchema).not.toHaveProperty('required');
  expect(ownTools.list_roots.inputSchema).not.toHaveProperty('required');
  expect(ownTools.switch_project.inputSchema['required']).toEqual(['project']);
});
