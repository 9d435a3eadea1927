import { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import type { ClientName } from '../../support/peers/sdk-client.ts';
import type { CommandOptions } from '../../support/processes/command.ts';
import { type Connected, connect } from '../../support/processes/connect.ts';

/** What both clients have in common here. */
type AnyClient = Pick<
  ClientV2,
  'listTools' | 'listResources' | 'readResource' | 'listPrompts' | 'getPrompt' | 'getInstructions'
>;

function rawOf({ raw }: Connected): AnyClient {
  return raw as unknown as AnyClient;
}

let files: TempTree;

beforeAll(() => {
  files = tempTree(['app/.git/', 'app/a.txt', 'lib/b.txt']);
});

afterAll(() => files[Symbol.dispose]());

/** Counts how often it is told that the tools changed. */
function countChanges({ raw }: Connected): () => number {
  let count = 0;
  const counting = (): void => void (count += 1);
  if (raw instanceof ClientV2) raw.setNotificationHandler('notifications/tools/list_changed', counting);
  else (raw as ClientV1).setNotificationHandler(ToolListChangedNotificationSchema, counting);
  return () => count;
}

async function descriptionOf(client: Connected, name: string): Promise<string | undefined> {
  const { tools } = await rawOf(client).listTools();
  return tools.find((tool) => tool.name === name)?.description;
}

describe.each(['v1', 'v2'] as const)('a client of %s', (name) => {
  test('reads the roots in what tools say of themselves, and is told when they change', async () => {
    await using client = await connect(name, { roots: [files.at('app')] });
    const changes = countChanges(client);
    // It is asked as soon as it is there, whatever it does.
    await expect.poll(() => descriptionOf(client, 'read_text_file')).toMatch(/ Roots: app\.$/);
    const before = changes();
    await client.change([files.at('app'), files.at('lib')]);
    await expect.poll(changes).toBe(before + 1);
    expect(await descriptionOf(client, 'search_text')).toMatch(/ Roots: app, lib\.$/);
    await client.call('read_text_file', { path: 'a.txt' });
    await client.call('list_roots');
    expect(changes()).toBe(before + 1);
  });
});

test('a client of 2026-07-28 reads no roots there: it may keep a list for as long as it likes', async () => {
  await using client = await connect('v2 in 2026', { roots: [files.at('app')] });
  await client.call('list_roots');
  expect(await descriptionOf(client, 'read_text_file')).not.toContain('Roots:');
});

const names: readonly ClientName[] = ['v1', 'v2 in 2026'];

describe.each(names)('a client of %s', (name) => {
  let client: Connected;

  beforeAll(async () => {
    client = await connect(name, { args: [files.at('app')], roots: [files.at('app')] });
  });

  afterAll(() => client[Symbol.asyncDispose]());

  test('reads in a few lines where it is and what it may do', () => {
    const instructions = rawOf(client).getInstructions() ?? '';
    expect(instructions).toContain('the project app, unless the client names another');
    expect(instructions).toContain('Roots: app, and what the client adds to them.');
    expect(instructions).toContain('Possible here: read, list, write.');
    expect(instructions.split('\n').length).toBeLessThan(8);
  });

  test('gets every tool with schemas and hints', async () => {
    const { tools } = await rawOf(client).listTools();
    expect(tools.length).toBeGreaterThan(15);
    for (const tool of tools)
      expect(tool).toMatchObject({
        description: expect.stringMatching(/./),
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean) },
      });
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
  });

  test('reads roots and project as resources', async () => {
    const { resources } = await rawOf(client).listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['rootward://roots', 'rootward://project']);
    const read = async (uri: string): Promise<unknown> => {
      const { contents } = await rawOf(client).readResource({ uri });
      const [content] = contents as readonly { text?: string; mimeType?: string }[];
      expect(content?.mimeType).toBe('application/json');
      return JSON.parse(content?.text ?? '');
    };
    expect(await read('rootward://roots')).toMatchObject({ roots: [{ name: 'app', path: files.at('app') }] });
    expect(await read('rootward://project')).toMatchObject({ project: { name: 'app' }, source: 'roots' });
    await expect(rawOf(client).readResource({ uri: 'rootward://nothing' })).rejects.toThrow('no resource');
  });

  test('gets a prompt that names its project', async () => {
    const { prompts } = await rawOf(client).listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(['get_to_know_this_project']);
    const { messages } = await rawOf(client).getPrompt({ name: 'get_to_know_this_project' });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('"app"') } },
    ]);
    await expect(rawOf(client).getPrompt({ name: 'nothing' })).rejects.toThrow('no prompt');
  });

  test('is told which argument is wrong, and can try again', async () => {
    const { isError, text } = await client.call('read_text_file', { path: 5 });
    expect(isError).toBe(true);
    expect(text).toContain('- path: ');
    await expect(client.call('no_such_tool')).rejects.toThrow('no_such_tool');
  });
});

test('resources and the prompt say what to do where nothing can be reached', async () => {
  await using client = await connect('v1');
  const reading = rawOf(client).readResource({ uri: 'rootward://roots' });
  await expect(reading).rejects.toThrow(/Cannot determine the project.*start it with --project DIR/s);
  const prompting = rawOf(client).getPrompt({ name: 'get_to_know_this_project' });
  await expect(prompting).rejects.toThrow('Cannot determine the project');
});

describe('the instructions', { timeout: 60_000 }, () => {
  const instructions = async (options: CommandOptions): Promise<string> => {
    await using client = await connect('v1', options);
    return rawOf(client).getInstructions() ?? '';
  };

  test('name the project that is found where nothing was named', async () => {
    const text = await instructions({ cwd: files.at('app') });
    expect(text).toContain('the project app, unless the client names another');
    expect(text).toContain('what the client lists, else the project app.');
    expect(await instructions({})).not.toContain('else');
  });

  test('promise the client nothing that the operator does not', async () => {
    const own = { args: [files.at('app'), files.at('lib'), '--merge', 'operator'] };
    expect(await instructions(own)).toContain('Roots: app, lib.');
    const narrow = { args: [files.at('app'), files.at('lib'), '--merge', 'intersect'] };
    expect(await instructions(narrow)).toContain('Roots: app, lib, or what the client lists of them.');
  });

  test('promise no command lines where there is no shell', async () => {
    // A path without bubblewrap.
    const without = { args: [files.at('app'), '--allow', 'execute'], env: { PATH: '/nowhere' } };
    expect(await instructions(without)).toContain('Possible here: read, list, write.');
    const unconfined = [...without.args, '--allow-unconfined-shell'];
    expect(await instructions({ ...without, args: unconfined })).toContain('read, list, write, execute.');
  });
});
