import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../scripts/install.ts';
import { type TempTree, tempTree } from '../../src/testing/index.ts';
import { call, converse, initialize, messagesIn } from '../support/processes/converse.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
/** A user's folder with the package in it. Its dependencies are found further up, in this project. */
const folder = join(project, '.build/package');
const installed = join(folder, 'node_modules/rootward');
const command = join(installed, 'dist/cli/main.js');
const doors = [
  'rootward',
  ...['server', 'client', 'tools', 'gateway', 'testing', 'web'].map((door) => `rootward/${door}`),
];

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let tree: TempTree;

beforeAll(() => {
  tree = tempTree(['app/a.txt = inside', 'app/package.json = {"name":"app"}']);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder])) as [Packed];
  execFileSync('tar', ['-xzf', basename(packed.filename), '-C', installed, '--strip-components=1'], {
    cwd: folder,
  });
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "type": "module", "private": true }\n');
}, 120_000);

afterAll(() => tree[Symbol.dispose]());

function rootward(...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', ROOTWARD_HOME: tree.at('home') };
  return execFileSync(process.execPath, [command, ...args], { cwd: tree.at('app'), env, encoding: 'utf8' });
}

test('the package stays small', () => {
  expect(packed.size).toBeLessThanOrEqual(1_250_000);
  expect(packed.unpackedSize).toBeLessThanOrEqual(6_000_000);
});

test('nothing is in it that only tests, or only the makers, need', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/cli/main.js']),
  );
  expect(paths.filter((path) => /\.map$|\.test\.|\bfakes?\b|(?<!\.d)\.tsx?$/.test(path))).toEqual([]);
  expect(paths.filter((path) => !/^(?:dist\/.*|[^/]+)$/.test(path))).toEqual([]);
});

test('the licences of what is bundled are with it', () => {
  const licences = readFileSync(join(installed, 'dist/cli/licenses.md'), 'utf8');
  for (const name of ['@modelcontextprotocol/server', '@redis/client', 'zod', 'yaml'])
    expect(licences).toContain(`## ${name} - `);
});

test('the installed command knows its version and its project', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  expect(rootward('--version').trim()).toBe(version);
  expect(JSON.parse(rootward('where', '--json'))).toMatchObject({ project: { name: 'app' } });
});

test('the installed command serves', async () => {
  const server = {
    command: process.execPath,
    args: [command, 'serve', tree.at('app')],
    cwd: tree.path,
    env: { ROOTWARD_HOME: tree.at('home') },
    home: tree.at('home'),
    [Symbol.dispose]: () => undefined,
  };
  const { stdout, stderr, code } = await converse(server, [
    initialize,
    call('read_text_file', { path: 'a.txt' }),
    call('search_text', { pattern: 'inside' }),
  ]);
  expect(messagesIn(stdout)).toMatchObject([
    { id: 0 },
    { id: 1, result: { content: [{ text: 'inside' }] } },
    { id: 2, result: { content: [{ text: expect.stringContaining('[1 matching lines in 1 files]') }] } },
  ]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('each door opens', () => {
  const lines = doors.map((door) => `console.log(Object.keys(await import('${door}')).length > 0);`);
  writeFileSync(join(folder, 'doors.js'), lines.join('\n'));
  const printed = execFileSync(process.execPath, [join(folder, 'doors.js')], { encoding: 'utf8' });
  expect(printed.trim().split('\n')).toEqual(doors.map(() => 'true'));
});

test('the types of each door are complete', () => {
  const lines = doors.map((door, index) => `export * as door${index} from '${door}';`);
  writeFileSync(join(folder, 'doors.ts'), lines.join('\n'));
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ];
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  expect(run(process.execPath, [compiler, ...options, join(folder, 'doors.ts')])).toBe('');
});

test('a stack trace of the command names functions', () => {
  expect(readFileSync(join(installed, 'dist/cli/run-where.js'), 'utf8')).toContain('function runWhere(');
});

test('the chunks of the command need one byte per character', () => {
  const chunks = readdirSync(join(installed, 'dist/cli')).filter((name) => name.endsWith('.js'));
  const wide = chunks.filter((name) =>
    /[\u0100-\uFFFF]/.test(readFileSync(join(installed, 'dist/cli', name), 'utf8')),
  );
  expect(wide).toEqual([]);
});
