import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair, type LegacySetup } from '../support/peers/connect-legacy.ts';
import { type Answer, Refusal } from '../support/peers/raw-client.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { connectHere as connectCommand } from '../support/processes/connect.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { parseRoots, type Root } from '../../src/path/root.ts';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';
import { resolveWorkspace } from '../../src/workspace/chain/resolve-workspace.ts';
import type { RootsAnswer } from '../../src/workspace/sources/roots-answer.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { quotesFrom } from '../support/docs/seed-quotes.ts';

const quote = quotesFrom('000');

const instruction =
  'Project context not available. Call switch_project with the basename of the current working directory.';

/** A server as in ADR 009: its preset, and the tool that its instruction names. */
async function connectHere({ options, ...setup }: LegacySetup = {}): Promise<LegacyPair> {
  return connectLegacy({
    ...setup,
    options: { preset: 'adr-009', tools: ['switch_project'], cwd: process.cwd(), ...options },
  });
}

describe.each(sdkNames)('ADR 009 on SDK %s', (sdk) => {
  test(`${quote('Extract first root URI')}, ${quote('Use basename as project name')}`, async () => {
    using tree = tempTree(['first/package.json = {"name":"other-name"}', 'second/']);
    const environment = { PWD: tree.at('second') };
    await using pair = await connectHere({
      sdk,
      roots: [tree.at('first'), tree.at('second')],
      options: { environment },
    });
    expect((await pair.call('where')).text).toBe('first');
    expect((await pair.call('source')).text).toBe('roots');
  });

  test(quote('If previously detected from roots'), async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('app')] });
    await expect(pair.rootward.workspace()).rejects.toThrow(instruction);
    await pair.call('where');
    expect((await pair.rootward.workspace()).project.name).toBe('app');
    expect(pair.client.asked()).toBe(1);
  });

  test(quote('Updated when roots change notification received'), async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('app')] });
    await pair.call('where');
    pair.list(tree.at('docs'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('docs');
  });

  test(quote('Return error with instruction'), async () => {
    await using pair = await connectHere({ sdk, capabilities: {} });
    const { text, isError } = await pair.call('where');
    expect(isError).toBe(true);
    expect(text.split('\n')[0]).toBe(instruction);
    const { data } = await pair.call('switch_project', { project: 'myproject' });
    expect(data).toMatchObject({ project: { name: 'myproject' }, source: 'switched', roots: [] });
    expect((await pair.call('where')).text).toBe('myproject');
  });
});

const withoutRoots: Readonly<Record<string, Answer>> = {
  [quote('Client doesn’t implement roots capability')]: () => {
    throw new Refusal(-32601, 'Roots not supported');
  },
  [quote('Client advertises capability but doesn’t implement')]: () => {
    throw new Refusal(-32603);
  },
  [quote('Roots not configured by user')]: () => ({ roots: [] }),
  'a root that is no file': () => ({ roots: [{ uri: 'https://example.com/app' }] }),
};

describe.each(Object.entries(withoutRoots))('when roots are not available, %s', (_case, answer) => {
  test('PWD is the last fallback', async () => {
    using tree = tempTree(['launched/']);
    await using pair = await connectHere({ options: { environment: { PWD: tree.at('launched') } } });
    pair.client.answers.set('roots/list', answer);
    expect((await pair.call('where')).text).toBe('launched');
  });

  test('the error stands where there is no PWD', async () => {
    await using pair = await connectHere();
    pair.client.answers.set('roots/list', answer);
    expect((await pair.call('where')).text).toContain(instruction);
  });
});

test.each(['.', '..', './foo', '../foo', 'foo', ''])(
  `${quote('NEVER accept relative paths from PWD')}: PWD=%s`,
  async (PWD) => {
    await using pair = await connectHere({ capabilities: {}, options: { environment: { PWD } } });
    expect((await pair.call('where')).text).toContain(instruction);
  },
);

test(quote('Tool called without request context (e.g., in tests)'), async () => {
  using tree = tempTree(['launched/']);
  await using pair = await connectHere({ options: { environment: { PWD: tree.at('launched') } } });
  expect((await pair.rootward.workspace()).project.name).toBe('launched');
  expect(pair.client.asked()).toBe(0);
});

test(quote('Has no relationship to client’s working directory'), async () => {
  using tree = tempTree(['app/package.json = {}']);
  await using pair = await connectHere({ capabilities: {}, options: { cwd: tree.at('app') } });
  expect((await pair.call('where')).text).toContain(instruction);
});

describe.each(['v1', 'v2'] as const)('the command with --preset adr-009, by SDK %s', (name) => {
  test('says the instruction to the letter, and a name is enough', async () => {
    await using client = await connectCommand(name, { args: ['--preset', 'adr-009'] });
    const { text, isError } = await client.call('read_text_file', { path: 'a.txt' });
    expect({ first: text.split('\n')[0], isError }).toEqual({ first: instruction, isError: true });
    await client.call('switch_project', { project: 'myproject' });
    expect((await client.call('why')).data).toMatchObject({ project: { name: 'myproject' }, roots: [] });
  });
});

test('secondary: the cached name counts after a change whose question fails, and opens nothing', async () => {
  using tree = tempTree(['app/a.txt = a', 'launched/']);
  const env = { PWD: tree.at('launched') };
  await using client = await connectCommand('v2', {
    args: ['--preset', 'adr-009'],
    roots: [tree.at('app')],
    env,
  });
  expect((await client.call('read_text_file', { path: 'a.txt' })).text).toBe('a');
  if (client.raw instanceof Client)
    client.raw.setRequestHandler('roots/list', () => {
      throw new Error('no longer');
    });
  await client.change([]);
  const { data } = await client.call('why');
  expect(data).toMatchObject({ project: { name: 'app' }, source: 'remembered', roots: [] });
  expect((await client.call('read_text_file', { path: 'a.txt' })).isError).toBe(true);
});

test('switch_project goes before the roots, and stays within them', async () => {
  using tree = tempTree(['one/', 'two/', 'other/']);
  await using pair = await connectHere({ roots: [tree.at('one'), tree.at('two')] });
  expect((await pair.call('where')).text).toBe('one');
  await pair.call('switch_project', { project: 'two' });
  expect((await pair.call('where')).text).toBe('two');
  expect((await pair.call('switch_project', { project: toFileUri(tree.at('other')) })).isError).toBe(true);
  expect((await pair.call('where')).text).toBe('two');
});

describe('the chain of ADR 009', () => {
  const preset = { preset: 'adr-009' } as const;

  test('primary, the basename of the first client root', async () => {
    using tree = tempTree(['one/package.json = {"name":"not-this"}', 'two/']);
    const resolution = await resolveWorkspace(
      { roots: listed(tree, 'one', 'two'), cwd: tree.at('two') },
      preset,
    );
    expect(resolution).toMatchObject({ status: 'resolved', source: 'roots', project: { name: 'one' } });
  });

  test('secondary, the cached project when the client fails', async () => {
    using tree = tempTree(['one/']);
    const failed: RootsAnswer = { state: 'failed', afterChange: false, reason: '-32601' };
    const resolution = await resolveWorkspace({ roots: failed, remembered: rootsAt(tree, 'one') }, preset);
    expect(resolution).toMatchObject({ source: 'remembered', project: { name: 'one' } });
  });

  test('last fallback, the basename of an absolute PWD', async () => {
    using tree = tempTree(['one/']);
    const resolution = await resolveWorkspace({ environment: { PWD: tree.at('one') }, cwd: '/' }, preset);
    expect(resolution).toMatchObject({ source: 'pwd', project: { name: 'one' } });
  });

  test.each(['.', '..', './foo', '', undefined])('PWD %j is never a project', async (PWD) => {
    const resolution = await resolveWorkspace({ environment: { PWD } }, preset);
    expect(resolution.status).toBe('unresolved');
  });

  test('never the directory of the process', async () => {
    const resolution = await resolveWorkspace({ cwd: process.cwd() }, preset);
    expect(resolution).toMatchObject({
      status: 'unresolved',
      error: {
        message:
          'Project context not available. Call switch_project with the basename of the current working directory.',
      },
    });
  });

  test('only absolute is demanded of PWD, which need not be there', async () => {
    using tree = tempTree();
    const environment = { PWD: tree.at('gone/app') };
    const resolution = await resolveWorkspace({ environment }, preset);
    expect(resolution).toMatchObject({
      status: 'resolved',
      source: 'pwd',
      project: { name: 'app', location: tree.at('gone/app'), kind: 'directory', markers: [] },
      issues: [],
    });
    expect(await resolveWorkspace({ environment }, preset)).toEqual(resolution);
  });

  test('a root that is not there is a project by its basename, and the first one counts', async () => {
    using tree = tempTree(['there/']);
    for (const signals of [
      { roots: listed(tree, 'gone', 'there') },
      { remembered: rootsAt(tree, 'gone', 'there') },
    ]) {
      expect(await resolveWorkspace(signals, preset)).toMatchObject({
        status: 'resolved',
        project: { name: 'gone', location: tree.at('gone'), kind: 'directory', markers: [] },
      });
    }
  });

  test('two places of one name that are not there have two ids', async () => {
    using tree = tempTree();
    const idOf = async (name: string): Promise<unknown> => {
      const resolution = await resolveWorkspace({ roots: listed(tree, name) }, preset);
      return resolution.status === 'resolved' ? resolution.project.id : undefined;
    };
    expect(await idOf('a/app')).toBe(await idOf('a/app'));
    expect(await idOf('a/app')).not.toBe(await idOf('b/app'));
  });

  test('a place that is not there is granted, and opens nothing', async () => {
    using tree = tempTree();
    const { roots } = await resolveWorkspace({ roots: listed(tree, 'gone') }, preset);
    expect(roots).toMatchObject([{ path: tree.at('gone'), kind: 'unknown' }]);
    await using workspace = await openWorkspace(roots);
    expect(workspace.roots).toEqual([]);
    expect(workspace.issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('a root that is a file has its own name', async () => {
    using tree = tempTree(['app/notes.md']);
    expect(await resolveWorkspace({ roots: listed(tree, 'app/notes.md') }, preset)).toMatchObject({
      project: { name: 'notes.md', location: tree.at('app') },
    });
  });

  test('PWD is a path; a URI in it is not absolute', async () => {
    const resolution = await resolveWorkspace({ environment: { PWD: 'file:///home/me/app' } }, preset);
    expect(resolution.status).toBe('unresolved');
  });

  test.each<[string, RootsAnswer]>([
    ['client does not implement roots (-32601)', { state: 'unsupported' }],
    ['client advertises but fails', { state: 'failed', afterChange: false, reason: '-32603' }],
    ['roots not configured by the user (empty)', { state: 'empty', revoked: false }],
    ['context not available', { state: 'unasked' }],
  ])('when roots are not available: %s', async (_case, roots) => {
    using tree = tempTree(['one/']);
    const resolution = await resolveWorkspace({ roots, environment: { PWD: tree.at('one') } }, preset);
    expect(resolution).toMatchObject({ source: 'pwd' });
  });
});

function listed(tree: TempTree, ...names: readonly string[]): RootsAnswer {
  return { state: 'listed', roots: rootsAt(tree, ...names) };
}

function rootsAt(tree: TempTree, ...names: readonly string[]): readonly Root[] {
  return parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
}
