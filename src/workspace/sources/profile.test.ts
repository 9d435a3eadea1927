import { describe, expect, test } from 'vitest';
import { findProfile, mergeProfiles } from './profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';

describe('findProfile', () => {
  test.each([
    ['claude-code', 'claude-code'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['cursor-vscode', 'cursor'],
    ['cursor-vscode (via mcp-remote 0.1.30)', 'cursor'],
    ['qwen-cli-mcp-client-my-server', 'qwen-code'],
    ['JetBrains-IC-copilot-intellij', 'copilot-jetbrains'],
    ['dev.warp.Warp-Stable', 'warp'],
    ['mcp', 'python-sdk-default'],
  ])('%s is %s', (name, id) => {
    expect(findProfile(allProfiles, name)?.id).toBe(id);
  });

  test.each(['', 'somebody-else', 'claude-code-2', undefined])('%s is unknown', (name) => {
    expect(findProfile(allProfiles, name)).toBeUndefined();
  });

  test('an exact name takes precedence over a prefix, and an earlier row over a later one', () => {
    const row = (id: string, kind: 'exact' | 'prefix', text: string) => ({
      id,
      title: id,
      asOf: '',
      match: [[kind, text] as const],
      remedy: 'x',
    });
    expect(findProfile([row('a', 'prefix', 'ab'), row('b', 'exact', 'abc')], 'abc')?.id).toBe('b');
    expect(findProfile([row('a', 'exact', 'abc'), row('b', 'exact', 'abc')], 'abc')?.id).toBe('a');
  });
});

test("the order of a user's row takes precedence, if it has one", () => {
  const mine = { id: 'mine', title: 'Mine', asOf: 'now', match: [], remedy: 'x' } as const;
  const copilot = findProfile(allProfiles, 'copilot-cli');
  expect(mergeProfiles(mine, copilot)?.order).toEqual(['walk-up', 'client-env']);
  expect(mergeProfiles({ ...mine, order: ['client-env'] }, copilot)?.order).toEqual(['client-env']);
  expect(mergeProfiles(mine, { ...mine, id: 'other' })).not.toHaveProperty('order');
});

test("a user's row removes nothing", () => {
  const mine = {
    id: 'mine',
    title: 'Mine',
    asOf: 'now',
    match: [['regex', '.*']],
    remedy: 'x',
    quirks: ['q'],
  } as const;
  const desktop = findProfile(allProfiles, 'claude-ai');
  expect(mergeProfiles(mine, desktop)).toMatchObject({
    id: 'mine',
    cwd: 'never',
    quirks: expect.arrayContaining(['q', 'cwd-never-project']),
  });
  expect(mergeProfiles(undefined, desktop)).toBe(desktop);
  expect(mergeProfiles(mine, undefined)).toBe(mine);
});
