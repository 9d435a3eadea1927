import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { difficultClients } from '../../../src/testing/index.ts';
import { type OwnHome, ownHome } from '../../support/processes/own-home.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';
import { speakHere } from '../../support/processes/speak.ts';

/* `rootward check` and the running server decide alike. */

let home: OwnHome;

beforeAll(async () => {
  home = ownHome([
    'app/package.json = {}',
    'app/a.txt',
    'app/.env = SECRET=1',
    'app/out => ../else/b.txt',
    'kept/k.txt',
    'hidden/h.txt',
    'else/b.txt',
    `asks.json = ${JSON.stringify({ policy: { allow: ['read', 'list'], ask: ['write'] } })}`,
  ]);
  await home.run('add', 'kept', 'hidden');
  await home.run('allow', 'kept', 'write');
  expect(await home.run('deny', 'hidden', '--server', 'rootward')).toMatchObject({ code: 0 });
});

afterAll(() => home[Symbol.dispose]());

const paths = ['app/new.txt', 'app/.env', 'app/out', 'kept/k.txt', 'hidden/h.txt', 'else/b.txt'];

/** The name of a client, and whether it lists the folder it is opened in. */
const clients = [
  ['claude-code', true],
  ['codex-mcp-client', false],
] as const;

/** Settings, as variables: those of flags have the same meaning for both. */
const settings: readonly (readonly [string, () => Readonly<Record<string, string>>])[] = [
  ['the roots that are kept', () => ({})],
  ['nothing kept', () => ({ ROOTWARD_STORE: '0' })],
  ['a directory', () => ({ ROOTWARD_DIRECTORIES: home.at('app') })],
  [
    'the most that a client can get',
    () => ({ ROOTWARD_DIRECTORIES: home.at('else'), ROOTWARD_MERGE: 'intersect' }),
  ],
  ['what the client lists alone', () => ({ ROOTWARD_MERGE: 'client' })],
  ['rules that ask', () => ({ ROOTWARD_STORE: '0', ROOTWARD_CONFIG: home.at('asks.json') })],
  ['reading only', () => ({ ROOTWARD_READ_ONLY: '1' })],
];

interface Judged {
  readonly allowed?: boolean;
  readonly rule?: string;
  readonly root?: string;
  readonly place?: string;
}

const shown = ({ allowed, rule, root, place }: Judged): string => [allowed, rule, root, place].join(' ');

describe.each(settings)('with %s', (_title, variables) => {
  test.each(clients)('for %s', async (name, lists) => {
    const env = { ...home.env, ...variables() };
    const cwd = home.at('app');
    const base = difficultClients[lists ? 'cooperative' : 'undeclared'];
    const client = { ...base, initialize: () => ({ clientInfo: { name, version: '1' } }) };
    await using server = await speakHere({ env, cwd, client, roots: [`file://${cwd}`] });
    const differences: string[] = [];
    for (const path of paths.map((asked) => home.at(asked)))
      for (const operation of ['read', 'write']) {
        const { result } = await server.player.call('check_path', { path, operation });
        const { structuredContent: served } = result as { structuredContent?: Judged & { error?: object } };
        const argv = ['check', operation, path, '--as', name, '--json'];
        const { stdout } = await runInMemory(cwd, argv, env);
        const alone = JSON.parse(stdout) as Judged;
        if (shown(served ?? {}) !== shown(alone))
          differences.push(`${operation} ${path}: ${shown(served ?? {})} <> ${shown(alone)}`);
      }
    expect(differences).toEqual([]);
  });
});
