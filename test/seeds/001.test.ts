import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toFileUri } from '../../src/path/file-uri.ts';
import { parseRoots } from '../../src/path/root.ts';
import { difficultClients, tempTree } from '../../src/testing/index.ts';
import { connect } from '../support/processes/connect.ts';
import { speakHere } from '../support/processes/speak.ts';
import { resolveWorkspace } from '../../src/workspace/chain/resolve-workspace.ts';
import type { Signals } from '../../src/workspace/sources/root-source.ts';
import { quotesFrom } from '../support/docs/seed-quotes.ts';

const quote = quotesFrom('001');

/** The fallback chain, the messages and the limits of RFC 0020, each under its own words. */
const preset = { preset: 'rfc-0020', markers: ['.blue'] } as const;

test(quote('1. Use explicit cwd if provided in tool args'), async () => {
  using tree = tempTree(['one/.blue/', 'two/.blue/', 'three/.blue/']);
  const resolution = await resolveWorkspace(
    {
      argument: tree.at('one'),
      initialize: { roots: [{ uri: toFileUri(tree.at('two')) }] },
      cwd: tree.at('three'),
    },
    preset,
  );
  expect(resolution).toMatchObject({ source: 'argument', project: { location: tree.at('one') } });
});

test(`${quote('2. Use MCP roots from initialize')}, ${quote('Also check workspaceFolders (some clients use this)')}`, async () => {
  using tree = tempTree(['two/.blue/', 'three/.blue/']);
  for (const initialize of [
    { roots: [{ uri: toFileUri(tree.at('two')) }] },
    { workspaceFolders: [{ uri: toFileUri(tree.at('two')), name: 'x' }] },
  ]) {
    const resolution = await resolveWorkspace({ initialize, cwd: tree.at('three') }, preset);
    expect(resolution).toMatchObject({ source: 'initialize', project: { location: tree.at('two') } });
  }
});

test(quote('so tool-arg overrides don’t clobber the session-level root from initialize'), async () => {
  using tree = tempTree(['one/.blue/', 'two/.blue/']);
  const session: Signals = { initialize: { roots: [{ uri: toFileUri(tree.at('two')) }] } };
  expect(await resolveWorkspace({ ...session, argument: tree.at('one') }, preset)).toMatchObject({
    source: 'argument',
  });
  expect(await resolveWorkspace(session, preset)).toMatchObject({ source: 'initialize' });
});

test(`${quote('3. Walk up from process cwd looking for .blue/')}, past repositories`, async () => {
  using tree = tempTree(['three/.blue/', 'three/repo/.git/HEAD', 'three/repo/src/']);
  const signals: Signals = {
    client: { name: 'claude-code', version: '2.1.19' },
    cwd: tree.at('three/repo/src'),
  };
  expect(await resolveWorkspace(signals, preset)).toMatchObject({
    source: 'walk-up',
    project: { location: tree.at('three'), markers: ['.blue'] },
  });
});

test('walks the tree whatever is known about the client', async () => {
  using tree = tempTree(['three/.blue/', 'three/src/']);
  const signals = { client: { name: 'claude-ai' }, cwd: tree.at('three/src') };
  expect(await resolveWorkspace(signals, preset)).toMatchObject({
    source: 'walk-up',
    confidence: 'likely',
  });
  // Otherwise it is known that this client starts servers somewhere else.
  expect((await resolveWorkspace(signals)).status).toBe('unresolved');
});

test(quote('for _ in 0..20 { // Limit depth'), async () => {
  const deep = (levels: number): string => Array.from({ length: levels }, () => 'd').join('/');
  using tree = tempTree(['.blue/', `${deep(20)}/`]);
  expect((await resolveWorkspace({ cwd: tree.at(deep(19)) }, preset)).status).toBe('resolved');
  expect((await resolveWorkspace({ cwd: tree.at(deep(20)) }, preset)).status).toBe('unresolved');
});

test(quote('4. Fail with actionable guidance'), async () => {
  using tree = tempTree(['nothing/']);
  const resolution = await resolveWorkspace({ cwd: tree.at('nothing') }, preset);
  expect(resolution).toMatchObject({ status: 'unresolved' });
  if (resolution.status !== 'unresolved') return;
  expect(resolution.error.message).toBe(
    `Blue project not found. Either:\n- Pass 'cwd' parameter to tool calls\n- Run from within a Blue project directory\n- Initialize Blue with 'blue init'\nAttempted:\n- walk-up: ${tree.at('nothing')}`,
  );
  expect(resolution.error.hint).toBe("Run 'blue init' or pass 'cwd' parameter.");
});

test(quote('Wrong directory | "Blue not detected in: /path. Expected .blue/ directory."'), async () => {
  using tree = tempTree(['one/']);
  const resolution = await resolveWorkspace({ argument: tree.at('one'), cwd: tree.at('one') }, preset);
  expect(resolution).toMatchObject({
    status: 'unresolved',
    error: { message: `Blue not detected in: ${tree.at('one')}. Expected .blue/ directory.` },
  });
});

test('the command with --preset rfc-0020 has the same words, and does not ask for a cwd that was given', async () => {
  using tree = tempTree(['app/', 'app/marked/.blue/', 'out/.blue/']);
  const args = ['--preset', 'rfc-0020', '--marker', '.blue', tree.at('app')];
  await using client = await connect('v2', { args });
  const none = await client.call('read_text_file', { path: 'a.txt' });
  expect(none.text).toContain("Blue project not found. Either:\n- Pass 'cwd' parameter to tool calls");
  const why = async (cwd: string) => client.call('why', { cwd: tree.at(cwd) });
  expect((await why('app/marked')).data).toMatchObject({ source: 'argument', project: { name: 'marked' } });
  expect((await why('app')).text).toContain(
    `Blue not detected in: ${tree.at('app')}. Expected .blue/ directory.`,
  );
  const outside = await why('out');
  expect(outside.text).toContain('it is outside the roots');
  expect(outside.text).not.toContain("Pass 'cwd'");
});

test('a directory that was named and refused is not asked for again', async () => {
  using tree = tempTree(['app/', 'out/']);
  const resolution = await resolveWorkspace(
    { argument: tree.at('out'), ceiling: parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots },
    { ...preset, within: parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots },
  );
  if (resolution.status !== 'unresolved') throw new Error(resolution.status);
  expect(`${resolution.error.message}\n${resolution.error.hint}`).not.toMatch(/pass 'cwd'/i);
});

test(`${quote('Log what Claude Code sends in initialize')}, ${quote('Confirm if roots are provided')}`, async () => {
  const sent = { clientInfo: { name: 'claude-code', version: '2.1.19' }, capabilities: { roots: {} } };
  const client = { ...difficultClients.cooperative, initialize: () => sent };
  using tree = tempTree(['app/.blue/']);
  await using server = await speakHere({ args: ['--debug'], client, roots: [toFileUri(tree.at('app'))] });
  expect((await server.call('why')).text).toContain(tree.at('app'));
  const log = readFileSync(join(server.home, 'log/debug.log'), 'utf8');
  expect(log).toMatch(/"kind":"initialize","params":\{.*"capabilities":\{"roots":\{\}\}.*"claude-code"/);
  expect(log).toContain(tree.at('app'));
});
