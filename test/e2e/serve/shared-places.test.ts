import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { program } from '../../support/processes/program.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';

/** A store as another user would write it, who wants to see everything. */
const planted = '{ "version": 1, "revision": 1, "roots": [{ "name": "etc", "uri": "file:///etc" }] }';
const key = 'k'.repeat(44);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end: a server ends with its input, and one over HTTP is ended when it listens. */
async function runProcess(home: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { cwd: '/', env: environment(home) });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (text.startsWith('http://')) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (text.includes('listening on')) child.kill('SIGTERM');
  });
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** The same in this process, for what ends without serving. */
function run(home: string, ...args: readonly string[]): Promise<Ended> {
  return runInMemory('/', args, environment(home));
}

function environment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, ROOTWARD_HOME: home };
}

/** A temporary tree that other users can enter: beneath one that they cannot, nothing is shared. */
function enterableTree(entries: readonly string[]): TempTree {
  const tree = tempTree(entries);
  chmodSync(tree.path, 0o755);
  return tree;
}

const commands: readonly (readonly string[])[] = [
  ['serve', '/usr'],
  ['serve', '--store'],
  ['roots', 'list'],
  ['roots', 'add', '/usr/share'],
  ['roots', 'watch'],
  ['web', '--no-open'],
];

/** Ways in which a home is not its owner's alone. */
const homes: Readonly<Record<string, (tree: TempTree) => void>> = {
  'that its group can write to': (tree) => chmodSync(tree.at('srv/home'), 0o770),
  'in which others can add files, like /tmp': (tree) => chmodSync(tree.at('srv/home'), 0o1777),
  'in a directory that others can write to': (tree) => chmodSync(tree.at('srv'), 0o777),
  ...(process.geteuid?.() === 0
    ? { 'that belongs to another user': (tree) => chownSync(tree.at('srv/home'), 54_321, 54_321) }
    : {}),
};

describe.skipIf(process.platform === 'win32')('a home', () => {
  test('of its owner alone is used', async () => {
    using tree = enterableTree([`srv/home/roots.jsonc = ${planted}`]);
    const { code, stdout, stderr } = await run(tree.at('srv/home'), 'roots', 'list');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('etc');
  });

  async function expectRefused(tree: TempTree, args: readonly string[], start = run): Promise<void> {
    const { code, stdout, stderr } = await start(tree.at('srv/home'), ...args);
    expect([args, code, stdout]).toEqual([args, 3, '']);
    const told = expect.stringMatching(
      /Cannot use .*\n(?:Make it yours alone \(chmod go-w "|Run this as that user).*ROOTWARD_HOME/,
    );
    expect([args, stderr]).toEqual([args, told]);
  }

  test('that others can write to is refused by every command, and nothing is made in it', async () => {
    using tree = enterableTree([`srv/home/roots.jsonc = ${planted}`]);
    chmodSync(tree.at('srv/home'), 0o777);
    await Promise.all(commands.map((args) => expectRefused(tree, args, runProcess)));
    expect(readdirSync(tree.at('srv/home'))).toEqual(['roots.jsonc']);
  });

  test.each(Object.keys(homes))('%s is refused', async (how) => {
    using tree = enterableTree([`srv/home/roots.jsonc = ${planted}`]);
    homes[how]?.(tree);
    await expectRefused(tree, ['roots', 'list']);
  });

  test('with a store that others can write to is refused, though no one can replace it', async () => {
    using tree = enterableTree([`home/roots.jsonc = ${planted}`]);
    chmodSync(tree.at('home/roots.jsonc'), 0o666);
    const { code, stdout, stderr } = await run(tree.at('home'), 'roots', 'list');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`others can write to "${tree.at('home/roots.jsonc')}"`);
  });

  test('whose store is a link is judged by where the link leads', async () => {
    using tree = enterableTree([`open/roots.jsonc = ${planted}`, 'home/roots.jsonc => ../open/roots.jsonc']);
    expect((await run(tree.at('home'), 'roots', 'list')).code).toBe(0);
    chmodSync(tree.at('open'), 0o777);
    const { code, stderr } = await run(tree.at('home'), 'roots', 'list');
    expect([code, stderr]).toEqual([3, expect.stringContaining(`others can write to "${tree.at('open')}"`)]);
  });

  test('is refused for a directory of it, too: answers to questions lie in one', async () => {
    using tree = enterableTree(['home/state/']);
    chmodSync(tree.at('home/state'), 0o777);
    for (const args of [
      ['serve', '/usr'],
      ['web', '--no-open'],
    ])
      expect((await run(tree.at('home'), ...args)).stderr).toContain(`write to "${tree.at('home/state')}"`);
  });
});

describe.skipIf(process.platform === 'win32')('a file of the operator', () => {
  const files: Readonly<Record<string, { readonly text: string; readonly args: readonly string[] }>> = {
    '--token-file': { text: key, args: ['--http', ':0'] },
    '--sealing-key-file': { text: key, args: ['--http', ':0'] },
    '--config': { text: '{ "directories": ["/usr"] }', args: ['--http', ':0'] },
  };

  test.each(Object.entries(files))(
    '%s is refused where others can replace it',
    async (flag, { text, args }) => {
      const ways = [
        [0o777, 'up'],
        [0o775, 'up/keys'],
        [0o666, 'up/keys/file'],
      ] as const;
      const refuse = async ([mode, open]: (typeof ways)[number]): Promise<void> => {
        using tree = enterableTree(['home/', `up/keys/file = ${text}`]);
        chmodSync(tree.at('up/keys/file'), 0o600);
        chmodSync(tree.at(open), mode);
        const { code, stderr } = await run(tree.at('home'), 'serve', ...args, flag, tree.at('up/keys/file'));
        expect([open, code]).toEqual([open, 2]);
        expect(stderr).toContain(`others can write to "${tree.at(open)}". Make it yours alone (chmod go-w`);
      };
      // The rule is one for all of them.
      await Promise.all((flag === '--token-file' ? ways : ways.slice(0, 1)).map(refuse));
    },
  );

  test('a socket is refused where others can replace its directory', async () => {
    using tree = enterableTree(['home/', 'up/run/']);
    chmodSync(tree.at('up'), 0o777);
    const { code, stderr } = await run(tree.at('home'), 'serve', '--http', `unix:${tree.at('up/run/s')}`);
    expect([code, existsSync(tree.at('up/run/s'))]).toEqual([3, false]);
    expect(stderr).toContain(`others can write to "${tree.at('up')}"`);
  });

  test('is used where no other user can replace it', async () => {
    using tree = enterableTree(['home/', `keys/token = ${key}`, 'keys/config = { "directories": ["/usr"] }']);
    for (const name of ['token', 'config']) chmodSync(tree.at('keys', name), 0o600);
    const secrets = ['--token-file', '--sealing-key-file'].flatMap((flag) => [flag, tree.at('keys/token')]);
    const args = ['serve', '--http', `unix:${tree.at('keys/s')}`, ...secrets];
    const { stderr } = await runProcess(tree.at('home'), ...args, '--config', tree.at('keys/config'));
    expect(stderr).toContain('listening on');
  });
});
