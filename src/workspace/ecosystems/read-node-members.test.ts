import { describe, expect, test } from 'vitest';
import { readDenoMembers, readNodeMembers, readPnpmMembers } from './read-node-members.ts';

const yes = (pattern: string) => ({ pattern, except: false });
const no = (pattern: string) => ({ pattern, except: true });

describe('package.json declares', () => {
  test.each([
    [
      { workspaces: ['packages/*', '!packages/x', 'tools'] },
      [yes('packages/*'), no('packages/x'), yes('tools')],
    ],
    [{ workspaces: { packages: ['packages/*'], nohoist: ['**'] } }, [yes('packages/*')]],
    [{ workspaces: ['a', 1, null] }, [yes('a')]],
    [{ workspaces: 'packages/*' }, []],
    [{ workspaces: { packages: 'a' } }, []],
    [{ name: 'app' }, []],
    [[], []],
    [null, []],
  ])('%j', (manifest, expected) => {
    expect(readNodeMembers(manifest)).toEqual(expected);
  });
});

test('exceptions of pnpm hold wherever they stand', () => {
  const manifest = { packages: ['!**/test/**', 'packages/*', 'apps/*'] };
  expect(readPnpmMembers(manifest)).toEqual([yes('packages/*'), yes('apps/*'), no('**/test/**')]);
  expect(readPnpmMembers({ catalog: {} })).toEqual([]);
  expect(readPnpmMembers(null)).toEqual([]);
});

test('Deno knows a list and an object', () => {
  expect(readDenoMembers({ workspace: ['./add'] })).toEqual([yes('./add')]);
  expect(readDenoMembers({ workspace: { members: ['./add'] } })).toEqual([yes('./add')]);
  expect(readDenoMembers({})).toEqual([]);
});
