import { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import type { ClientName } from '../../support/peers/sdk-client.ts';
import type { CommandOptions } from '../../support/processes/command.ts';
import { type Connected, connect, connectHere } from '../../support/processes/connect.ts';

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

describe.each(['v1', 'v2'] as const)('a client of %s', (name) => {
  test('reads the same list of tools whatever the roots are, and is not told to read it again', async () => {
    await using client = await connectHere(name, { roots: [files.at('app')] });
    const changes = countChanges(client);
    const before = await rawOf(client).listTools();
    await client.change([files.at('app'), files.at('lib')]);
    await client.call('read_text_file', { path: 'a.txt' });
    await client.call('list_roots');
    expect(changes()).toBe(0);
    expect(await rawOf(client).listTools()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain('Roots: app');
  });
});

const names: readonly ClientName[] = ['v1', 'v2 in 2026'];

describe.each(names)('a client of %s', (name) => {
  let client: Connected;

  beforeAll(async () => {
    client = await connectHere(name, { args: [files.at('app')], roots: [files.at('app')] });
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
  await using client = await connectHere('v1');
  const reading = rawOf(client).readResource({ uri: 'rootward://roots' });
  await expect(reading).rejects.toThrow(/Cannot determine the project.*start it with --project DIR/s);
  const prompting = rawOf(client).getPrompt({ name: 'get_to_know_this_project' });
  await expect(prompting).rejects.toThrow('Cannot determine the project');
});

describe('the instructions', { timeout: 60_000 }, () => {
  const instructions = async (options: CommandOptions, open = connectHere): Promise<string> => {
    await using client = await open('v1', options);
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

  test('and the list keep to the tools that the operator chose', async () => {
    const args = [files.at('app'), '--tools', 'read_*,list_*,why', '--no-tools', 'list_roots,read_m*'];
    await using client = await connectHere('v2', { args });
    const { tools } = await rawOf(client).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'read_file',
      'read_text_file',
      'list_directory',
      'list_directory_with_sizes',
      'list_allowed_directories',
      'why',
    ]);
    const text = rawOf(client).getInstructions() ?? '';
    expect(text).toContain('Possible here: read, list.');
    expect(text).toContain('Call why');
    expect(text).not.toContain('list_roots');
    await expect(client.call('write_file', { path: 'x', content: '' })).rejects.toThrow('write_file');
  });

  test('promise no command lines where there is no shell', async () => {
    // A path without bubblewrap.
    const without = { args: [files.at('app'), '--allow', 'execute'], env: { PATH: '/nowhere' } };
    expect(await instructions(without, connect)).toContain('Possible here: read, list, write.');
    const unconfined = [...without.args, '--allow-unconfined-shell'];
    const text = await instructions({ ...without, args: unconfined }, connect);
    expect(text).toContain('read, list, write, execute.');
  });
});
