import { expect, test } from 'vitest';
import { readUvMembers } from './read-uv-members.ts';

test('members come without what is excluded', () => {
  const workspace = { members: ['packages/*'], exclude: ['packages/seeds'] };
  expect(readUvMembers({ tool: { uv: { workspace } } })).toEqual([
    { pattern: 'packages/*' },
    { pattern: 'packages/seeds', except: true },
  ]);
});

test.each([{ project: { name: 'a' } }, { tool: { uv: {} } }, { tool: { uv: { workspace: [] } } }, null])(
  '%j declares nothing',
  (manifest) => {
    expect(readUvMembers(manifest)).toEqual([]);
  },
);
