import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { difficultClients, type TempTree, tempTree } from '../../../src/testing/index.ts';
import { beginSession, call, send } from '../../support/http/raw.ts';
import { type Listening, startHttpHere } from '../../support/http/start-http.ts';
import { connectHttp, type HttpClient } from '../../support/peers/connect-http.ts';
import type { ClientName, SdkClientOptions } from '../../support/peers/sdk-client.ts';
import { connectHere, type Connected } from '../../support/processes/connect.ts';
import { speakHere } from '../../support/processes/speak.ts';

/* The same settings give the same answers over stdio and over HTTP, in both eras. */

let files: TempTree;
/** With directories and rules; and without any, where a name is enough. */
let named: Listening;
let bare: Listening;

const settings = (): readonly string[] => [
  ...['app', 'lib', 'docs', 'fading'].map((name) => files.at(name)),
  `--config=${files.at('serve.json')}`,
  '--max-answer=2000',
  '--tools=read_*,write_file,list_*,why,switch_project',
  '--no-tools=read_m*,list_directory_*',
];

beforeAll(async () => {
  files = tempTree([
    `app/long.txt = ${'0123456789\n'.repeat(1_000)}`,
    'app/a.txt = app',
    'lib/a.txt = library',
    'docs/a.txt = documents',
    'fading/a.txt = soon gone',
    `serve.json = ${JSON.stringify({ policy: { allow: ['read', 'list'], ask: ['write'] } })}`,
  ]);
  [named, bare] = await Promise.all([
    startHttpHere({ args: settings() }),
    startHttpHere({ args: ['--merge', 'client', '--preset', 'adr-009'] }),
  ]);
});

afterAll(async () => {
  await Promise.all([named, bare].map((server) => server[Symbol.asyncDispose]()));
  files[Symbol.dispose]();
});

type Joined = Connected | HttpClient;

const joinOver = (server: () => Listening, client: ClientName, options: SdkClientOptions) =>
  connectHttp({ client, url: new URL(server().url), token: server().token, ...options });

/** How a client reaches the command, with settings and without any. */
const ways: readonly (readonly [string, (options?: SdkClientOptions) => Promise<Joined>])[] = [
  ['stdio', (options) => connectHere('v2', { args: settings(), ...options })],
  ['HTTP with a session', (options = {}) => joinOver(() => named, 'v2', options)],
  ['HTTP of 2026-07-28', (options = {}) => joinOver(() => named, 'v2 in 2026', options)],
];

describe.each(ways)('over %s', (_way, join) => {
  let client: Joined;
  beforeAll(async () => {
    client = await join();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('the tools are those that --tools and --no-tools leave', async () => {
    const reading = 'read_file read_text_file write_file list_directory list_allowed_directories';
    const names = (await client.tools()).map(({ name }) => name);
    expect(names.join(' ')).toBe(`${reading} list_roots why switch_project`);
  });

  test('an answer is no longer than --max-answer, and says where to go on', async () => {
    const { texts } = await client.call('read_text_file', { path: files.at('app/long.txt') });
    const text = texts.join('\n');
    expect(text.length).toBeLessThanOrEqual(2_000);
    const [, next = '0'] = /offset (\d+)/.exec(text) ?? [];
    const rest = await client.call('read_text_file', {
      path: files.at('app/long.txt'),
      offset: Number(next),
    });
    const read = text.lastIndexOf('\n', text.indexOf('offset'));
    expect(`${text.slice(0, read)}${rest.text}`).toContain('0123456789\n0123456789\n');
  });

  test('NOT_ASKED: a rule asks, and this client cannot', async () => {
    const { isError, code, text } = await client.call('write_file', {
      path: files.at('app/new'),
      content: '',
    });
    expect({ isError, code }).toEqual({ isError: true, code: 'NOT_ASKED' });
    expect(text.split('\n').length).toBeLessThanOrEqual(3);
  });

  test('ROOT_MISSING: a folder that was granted is gone', async () => {
    expect((await client.call('read_text_file', { path: files.at('fading/a.txt') })).text).toContain('soon');
    renameSync(files.at('fading'), files.at('faded'));
    try {
      const read = async () => (await client.call('read_text_file', { path: files.at('fading/a.txt') })).code;
      await expect.poll(read, { timeout: 20_000 }).toBe('ROOT_MISSING');
    } finally {
      renameSync(files.at('faded'), files.at('fading'));
    }
  });
});

test.each([
  ['stdio', () => connectHere('v2', { args: ['--preset', 'adr-009'] })],
  ['HTTP', () => joinOver(() => bare, 'v2', {})],
] as const)('NO_PROJECT over %s: a project that is only a name', async (_way, join) => {
  await using client: Joined = await join();
  expect((await client.call('switch_project', { project: 'app' })).isError).toBe(false);
  const { isError, code } = await client.call('read_text_file', { path: 'a.txt' });
  expect({ isError, code }).toEqual({ isError: true, code: 'NO_PROJECT' });
});

const older = ['2024-11-05', '2025-03-26'] as const;

describe.each(older)('a client of %s gets text alone', (revision) => {
  test('over stdio', async () => {
    const client = { ...difficultClients.undeclared, revision };
    await using server = await speakHere({ args: settings(), client });
    const listed = await server.player.request('tools/list');
    expect(JSON.stringify(listed)).toContain('"why"');
    expect(JSON.stringify(listed)).not.toContain('outputSchema');
    for (const tool of ['why', 'list_roots']) {
      const { result } = await server.player.call(tool);
      expect(result).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('app') }] });
      expect(result).not.toHaveProperty('structuredContent');
    }
  });

  test('over HTTP', async () => {
    const token = { authorization: `Bearer ${named.token}` };
    const headers = await beginSession(named, { headers: token, version: revision });
    const listed = await send(named, { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(listed.text).toContain('"why"');
    expect(listed.text).not.toContain('outputSchema');
    const why = (await send(named, { headers, body: call(2, 'switch_project', { project: 'none' }) })).json();
    expect(why).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } });
    expect(JSON.stringify(why)).not.toContain('structuredContent');
  });
});

describe.each([
  ['v2', 'lib'],
  ['v2 in 2026', 'docs'],
] as const)('over HTTP, a person in front of a client of %s', (era, other) => {
  test('is asked once which project is meant, and the next connection knows', async () => {
    let questions = 0;
    const person = (): Record<string, string> => {
      questions += 1;
      return { project: files.at(other) };
    };
    // Another set of folders for each, because a choice belongs to the client and its folders.
    const roots = [files.at('app'), files.at(other)];
    const read = async (client: HttpClient) => (await client.call('read_text_file', { path: 'a.txt' })).text;
    const texts: string[] = [];
    for (let connection = 1; connection <= 2; connection += 1) {
      await using client = await joinOver(() => named, era, { roots, person });
      texts.push(await read(client), await read(client));
    }
    expect(new Set(texts)).toEqual(new Set([other === 'lib' ? 'library' : 'documents']));
    expect(questions).toBe(1);
    // A client that cannot ask gets what was chosen, too.
    await using silent = await joinOver(() => named, era, { roots });
    expect(await read(silent)).toBe(texts[0]);
  });

  test('is asked before something is written, and nothing is written without a yes', async () => {
    const asked: string[] = [];
    let allow = false;
    const person = (message: string): Record<string, boolean> => {
      asked.push(message);
      return { allow };
    };
    await using client = await joinOver(() => named, era, { person });
    const write = () => client.call('write_file', { path: files.at(other, 'new.txt'), content: 'x' });
    expect(await write()).toMatchObject({ isError: true, code: 'DENIED' });
    allow = true;
    expect(await write()).toMatchObject({ isError: false });
    expect(asked).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('"write_file" to write')));
  });
});
