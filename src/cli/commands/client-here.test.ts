import { expect, test } from 'vitest';
import { clientHere } from './client-here.ts';

const stream = { write: () => undefined };
const here = (env: Record<string, string> = {}) => ({
  process: { stdout: stream, stderr: stream, env },
  cwd: '/srv/app',
});

test.each([
  ['claude-code', 'claude-code', 'which lists "/srv/app"', ['/srv/app']],
  ['cursor-vscode', 'cursor-vscode', 'which lists "/srv/app"', ['/srv/app']],
  ['vscode', 'Visual Studio Code', 'which lists "/srv/app"', ['/srv/app']],
  ['codex', 'codex-mcp-client', 'which lists no roots', undefined],
  ['a stranger', 'a stranger', 'an unknown client, as if it listed no roots', undefined],
])('%s is played', (name, wire, words, listed) => {
  const client = clientHere(here(), name);
  const { initialize, answer } = client.memory.current();
  expect(client.words).toBe(`"${wire}", ${words}`);
  expect(initialize).toMatchObject({ clientInfo: { name: wire } });
  expect(answer.state === 'listed' ? answer.roots.map(({ path }) => path) : undefined).toEqual(listed);
});

test('a client lists the directory of its own variable', () => {
  const { words } = clientHere(here({ CLAUDE_PROJECT_DIR: '/srv/other' }), 'claude-code');
  expect(words).toContain('lists "/srv/other"');
});
