import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair, type LegacySetup } from '../support/peers/connect-legacy.ts';
import { type Answer, Refusal } from '../support/peers/raw-peer.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';

const instruction =
  'Project context not available. Call switch_project with the basename of the current working directory.';

/** A server as in ADR 009: its preset, and the tool that its instruction names. */
async function connect({ options, ...setup }: LegacySetup = {}): Promise<LegacyPair> {
  return connectLegacy({
    ...setup,
    options: { preset: 'adr-009', tools: ['switch_project'], cwd: process.cwd(), ...options },
  });
}

describe.each(sdkNames)('ADR 009 on SDK %s', (sdk) => {
  test('primary: the first root of the client, by its basename', async () => {
    using tree = tempTree(['first/package.json = {"name":"other-name"}', 'second/']);
    const environment = { PWD: tree.at('second') };
    await using pair = await connect({
      sdk,
      roots: [tree.at('first'), tree.at('second')],
      options: { environment },
    });
    expect((await pair.call('where')).text).toBe('first');
    expect((await pair.call('source')).text).toBe('roots');
  });

  test('secondary: what was detected before, where no context is there', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connect({ sdk, roots: [tree.at('app')] });
    await expect(pair.rootward.workspace()).rejects.toThrow(instruction);
    await pair.call('where');
    expect((await pair.rootward.workspace()).project.name).toBe('app');
    expect(pair.client.asked()).toBe(1);
  });

  test('updated when the notification of a change is received', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connect({ sdk, roots: [tree.at('app')] });
    await pair.call('where');
    pair.list(tree.at('docs'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('docs');
  });

  test('error: the instruction to the letter, and what it says works', async () => {
    await using pair = await connect({ sdk, capabilities: {} });
    const { text, isError } = await pair.call('where');
    expect(isError).toBe(true);
    expect(text.split('\n')[0]).toBe(instruction);
    const { data } = await pair.call('switch_project', { project: 'myproject' });
    expect(data).toMatchObject({ project: { name: 'myproject' }, source: 'switched', roots: [] });
    expect((await pair.call('where')).text).toBe('myproject');
  });
});

const withoutRoots: Readonly<Record<string, Answer>> = {
  "1. the client doesn't implement it: -32601": () => {
    throw new Refusal(-32601, 'Roots not supported');
  },
  '2. the client advertises it and fails': () => {
    throw new Refusal(-32603);
  },
  '3. no workspace is configured: an empty list': () => ({ roots: [] }),
  'a root that is no file': () => ({ roots: [{ uri: 'https://example.com/app' }] }),
};

describe.each(Object.entries(withoutRoots))('when roots are not available, %s', (_case, answer) => {
  test('PWD is the last fallback', async () => {
    using tree = tempTree(['launched/']);
    await using pair = await connect({ options: { environment: { PWD: tree.at('launched') } } });
    pair.client.answers.set('roots/list', answer);
    expect((await pair.call('where')).text).toBe('launched');
  });

  test('the error stands where there is no PWD', async () => {
    await using pair = await connect();
    pair.client.answers.set('roots/list', answer);
    expect((await pair.call('where')).text).toContain(instruction);
  });
});

test.each(['.', '..', './foo', '../foo', 'foo', ''])('PWD=%s is refused', async (PWD) => {
  await using pair = await connect({ capabilities: {}, options: { environment: { PWD } } });
  expect((await pair.call('where')).text).toContain(instruction);
});

test('4. without a context: what is in PWD', async () => {
  using tree = tempTree(['launched/']);
  await using pair = await connect({ options: { environment: { PWD: tree.at('launched') } } });
  expect((await pair.rootward.workspace()).project.name).toBe('launched');
  expect(pair.client.asked()).toBe(0);
});

test('never the directory of the process', async () => {
  using tree = tempTree(['app/package.json = {}']);
  await using pair = await connect({ capabilities: {}, options: { cwd: tree.at('app') } });
  expect((await pair.call('where')).text).toContain(instruction);
});

test('switch_project goes before the roots, and stays within them', async () => {
  using tree = tempTree(['one/', 'two/', 'other/']);
  await using pair = await connect({ roots: [tree.at('one'), tree.at('two')] });
  expect((await pair.call('where')).text).toBe('one');
  await pair.call('switch_project', { project: 'two' });
  expect((await pair.call('where')).text).toBe('two');
  expect((await pair.call('switch_project', { project: toFileUri(tree.at('other')) })).isError).toBe(true);
  expect((await pair.call('where')).text).toBe('two');
});
