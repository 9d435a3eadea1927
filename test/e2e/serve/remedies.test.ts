import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree, type WireMessage } from '../../../src/testing/index.ts';
import { allProfiles } from '../../../src/workspace/profiles/all-profiles.ts';
import type { Profile } from '../../../src/workspace/sources/profile.ts';
import { bareCommand } from '../../support/processes/command.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';
import { openWireHere } from '../../support/processes/serve-here.ts';

let files: TempTree;

beforeAll(() => {
  files = tempTree(['app/.git/', 'app/a.txt = inside']);
});

afterAll(() => files[Symbol.dispose]());

/** What a person sets up: the entry of the server in the settings of the client, and what the client then does. */
interface Setup {
  /** Arguments of the entry, after `npx -y rootward`. */
  readonly args?: readonly string[];
  /** The directory in which the client starts the server. */
  readonly cwd?: string;
  /** The client lists the project. */
  readonly lists?: boolean;
  /** The client can ask its person, who agrees. */
  readonly asks?: boolean;
}

interface Connected extends AsyncDisposable {
  readonly home: string;
  call(name: string, args: object): Promise<{ readonly text: string; readonly refused: boolean }>;
}

/** Connects a client of this name to the command that its entry starts. */
async function connect(
  name: string,
  { args = [], cwd = '/', lists = false, asks = false }: Setup,
): Promise<Connected> {
  const command = bareCommand({ args, cwd });
  const wire = openWireHere(command);
  const waiting = new Map<unknown, (message: WireMessage) => void>();
  const answers = new Map<unknown, unknown>([
    ['roots/list', { roots: [{ uri: `file://${files.at('app')}` }] }],
    ['elicitation/create', { action: 'accept', content: { allow: true } }],
  ]);
  wire.onmessage = (message) => {
    const { id, method } = message;
    if (method === undefined) waiting.get(id)?.(message);
    else if (id !== undefined) void wire.send({ jsonrpc: '2.0', id, result: answers.get(method) });
  };
  const request = async (method: string, params: object): Promise<WireMessage> => {
    const id = waiting.size;
    const answered = new Promise<WireMessage>((resolve) => waiting.set(id, resolve));
    await wire.send({ jsonrpc: '2.0', id, method, params });
    return answered;
  };
  const capabilities = { ...(lists && { roots: {} }), ...(asks && { elicitation: {} }) };
  const clientInfo = { name, version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    home: command.home,
    async call(tool, input) {
      const { result } = await request('tools/call', { name: tool, arguments: input });
      const { isError = false, content } = result as { isError?: boolean; content: { text: string }[] };
      return { refused: isError, text: content[0]?.text ?? '' };
    },
    async [Symbol.asyncDispose]() {
      await wire.close();
      command[Symbol.dispose]();
    },
  };
}

const read = (client: Connected): ReturnType<Connected['call']> =>
  client.call('read_text_file', { path: 'a.txt' });

/** The advice of a refusal: its last line, without the name of the client, in its parts. */
function adviceIn(refusal: string, profile: Profile | undefined): readonly string[] {
  const line = refusal.split('\n').at(-1) ?? '';
  const client = profile === undefined ? '' : `In ${profile.title.split(' (')[0]}, `;
  expect(line.startsWith(client)).toBe(true);
  const apart = /,? or (?=[a-z])|; for the command line, |(?<=^Open a folder in the client), /;
  return line.slice(client.length).split(apart);
}

/** Returns what a person sets up who follows a part of the advice; `undefined` if it says nothing to set up. */
function follow(advice: string, profile: Profile | undefined): Setup | undefined {
  const project = files.at('app');
  const [, variable] = /"--project", "(\$\{[^"]+\})"/.exec(advice) ?? [];
  if (variable !== undefined) return { args: ['--project', project] };
  if (/"--project" and the (?:absolute )?path/.test(advice)) return { args: ['--project', project] };
  if (/start it with --project DIR/.test(advice)) return { args: ['--project', project] };
  if (/start .*in the project|with -C DIR|"cwd" of the server|working.directory/i.test(advice))
    return { cwd: project };
  if (/define the server in the \w+'s \.\S+json$/.test(advice)) return { cwd: project };
  if (/[Rr]oots|GOOSE_WORKING_DIR|--include-directories/.test(advice)) return { lists: true };
  // A client that lists roots lists the open folder; others start their servers in it.
  if (/open (?:a|the) (?:folder|workspace)/i.test(advice))
    return profile?.order?.includes('roots') === false ? { cwd: project } : { lists: true };
  return undefined;
}

function nameOf({ match }: Profile): string | undefined {
  const [first] = match;
  if (first === undefined) return undefined;
  const [kind, text] = first;
  return kind === 'regex' ? text.replaceAll(/[\^$]/g, '').replace('.*', 'IU-') : text;
}

const named = allProfiles.filter((profile) => nameOf(profile) !== undefined);

test('three clients have no known name, and get the advice for unknown ones', () => {
  const others = allProfiles.filter((profile) => !named.includes(profile));
  expect(others.map(({ id }) => id).toSorted()).toEqual(['jetbrains-ai', 'klaatcode', 'minimax-code']);
});

const clients = [
  ...named.map((profile) => ({ id: profile.id, name: nameOf(profile) ?? '', profile })),
  { id: 'an unknown client', name: 'nobody-knows', profile: undefined },
];

describe.each(clients)('the advice of a refusal to $id', ({ name, profile }) => {
  test('is what this client needs, and each part of it helps', async () => {
    await using client = await connect(name, {});
    const { refused, text } = await read(client);
    expect({ refused, text }).toEqual({ refused: true, text: expect.stringMatching(/^Cannot .*\n.+$/) });
    const advice = adviceIn(text, profile);
    expect(advice.at(-1)).toBe('keep a folder for this server: `rootward roots add DIR`');
    expect(advice.length).toBeGreaterThan(1);
    for (const part of advice.slice(0, -1)) {
      const setup = follow(part, profile);
      expect({ part, setup }).toEqual({ part, setup: expect.anything() });
      await using again = await connect(name, setup ?? {});
      expect({ part, ...(await read(again)) }).toEqual({ part, refused: false, text: 'inside' });
    }
    // The command takes effect at the next call.
    await runInMemory(files.path, ['roots', 'add', files.at('app')], {
      HOME: client.home,
      ROOTWARD_HOME: client.home,
    });
    expect(await read(client)).toEqual({ refused: false, text: 'inside' });
  });
});

test('switch_project is part of the advice if the client can ask its person, and it helps', async () => {
  await using client = await connect('cursor-vscode', { asks: true });
  const { text } = await read(client);
  expect(adviceIn(text, undefined).at(-1)).toBe(
    'call switch_project with the absolute path, which asks the person',
  );
  expect(await client.call('switch_project', { project: files.at('app') })).toMatchObject({ refused: false });
  expect(await read(client)).toEqual({ refused: false, text: 'inside' });
});
