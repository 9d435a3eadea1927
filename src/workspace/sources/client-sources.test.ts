import { expect, test } from 'vitest';
import { findProfile } from './profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { requestMeta } from './client-sources.ts';

test('reads the working directory that goose sends with every request', () => {
  const goose = findProfile(allProfiles, 'goose-cli');
  expect(requestMeta.offer({ meta: { 'agent-working-dir': '/p' } }, goose)).toEqual({
    places: [{ text: '/p', via: 'agent-working-dir' }],
  });
});

test('reads both keys of Codex, the sandbox first', () => {
  const codex = findProfile(allProfiles, 'codex-mcp-client');
  const meta = {
    'x-codex-turn-metadata': { workspaces: { '/repo': {} } },
    'codex/sandbox-state-meta': { sandboxCwd: 'file:///p' },
  };
  expect(requestMeta.offer({ meta }, codex)).toEqual({
    places: [
      { text: 'file:///p', via: 'codex/sandbox-state-meta.sandboxCwd' },
      { text: '/repo', via: 'x-codex-turn-metadata.workspaces' },
    ],
  });
});

test.each([
  undefined,
  { 'agent-working-dir': 42 },
  { 'agent-working-dir': null },
  { __proto__: { 'agent-working-dir': '/x' } },
])('has nothing to say about %j', (meta) => {
  const goose = findProfile(allProfiles, 'goose-cli');
  expect(requestMeta.offer(meta === undefined ? {} : { meta }, goose)).toHaveProperty('none');
});
