import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { serveNotices, warnOfMissing, warnOfRules, warnOfUnread } from './notices.ts';
import type { ServeFlags } from './serve-options.ts';
import { serveVariables } from './serve-variables.ts';

const quiet = {
  http: ':0',
  hosts: [],
  directories: ['/srv/app'],
  project: undefined,
  store: false,
  merge: undefined,
} as const;

test.each([
  ['on this machine with a directory', {}],
  ['with a project', { directories: undefined, project: '/srv/app' }],
  ['with a store', { directories: undefined, store: true }],
  ['with what clients list', { directories: undefined, merge: 'client' }],
  ['on stdio', { http: undefined, directories: undefined }],
  ['on a socket', { http: 'unix:/run/mcp.sock' }],
] as const)('%s there are no notices', (_title, differently) => {
  expect(serveNotices({ ...quiet, ...differently })).toEqual([]);
});

test('warns if nothing can be reached', () => {
  for (const merge of [undefined, 'intersect'] as const)
    expect(serveNotices({ ...quiet, directories: undefined, merge })).toEqual([
      expect.stringContaining('nothing can be reached'),
    ]);
});

test('says that the project is reached if only the operator decides and named nothing', () => {
  expect(serveNotices({ ...quiet, directories: undefined, merge: 'operator' })).toEqual([
    'no directory is named, so every client reaches the project in which this server was started',
  ]);
});

test('warns about an unencrypted connection', () => {
  const [line] = serveNotices({ ...quiet, http: '0.0.0.0:0', hosts: ['mcp.example', 'other.example'] });
  expect(line).toContain('plain HTTP');
  expect(line).toContain('It answers to mcp.example, other.example');
});

async function told(...directories: readonly string[]): Promise<string> {
  let text = '';
  const terminal = { write: (part: string) => void (text += part) };
  const context = { process: { stdout: terminal, stderr: terminal }, cwd: '/' };
  await warnOfMissing(context, { directories, project: undefined });
  return text;
}

async function toldOfProject(project: string, ...directories: readonly string[]): Promise<string> {
  let text = '';
  const terminal = { write: (part: string) => void (text += part) };
  const context = { process: { stdout: terminal, stderr: terminal }, cwd: '/' };
  await warnOfMissing(context, { directories, project });
  return text;
}

test('reports no existing directory or file', async () => {
  using tree = tempTree(['app/', 'notes.txt = x']);
  expect(await told(tree.at('app'), tree.at('notes.txt'))).toBe('');
});

test('reports each missing directory', async () => {
  using tree = tempTree(['app/']);
  expect(await told(tree.at('one'), tree.at('app'), tree.at('two'))).toBe(
    ['one', 'two']
      .map(
        (name) =>
          `rootward: Warning: Cannot access directory "${tree.at(name)}": it does not exist; it is served a few seconds after it appears\n`,
      )
      .join(''),
  );
});

test('reports a missing project once', async () => {
  using tree = tempTree(['app/']);
  expect(await toldOfProject(tree.at('app'), tree.at('app'))).toBe('');
  const gone = tree.at('gone');
  expect(await toldOfProject(gone, tree.at('app'))).toMatch(
    /^rootward: Warning: Cannot access project ".*gone": it does not exist; it is served .*\n$/,
  );
  expect(await toldOfProject(gone, gone)).toMatch(/^rootward: Warning: Cannot access directory .*\n$/);
});

test('reports a link that leads out of a directory, because it is not served', async () => {
  using tree = tempTree([
    'code/app/',
    'data/app/',
    'code/out => ../data/app',
    'code/in => app',
    'all => code',
  ]);
  const [code, out] = [tree.at('code'), tree.at('code/out')];
  expect(await told(code, out)).toBe(
    `rootward: Warning: Cannot access directory "${out}": a link in it leads out of "${code}", which is served too; name the place that it leads to\n`,
  );
  expect(await toldOfProject(out, code)).toContain('Cannot access project');
  expect(await told(code, tree.at('code/in'), tree.at('all'), tree.at('all/app'))).toBe('');
  expect(await told(out, tree.at('data/app'))).toBe('');
});

test('reports anything but a directory or a file', async () => {
  using tree = tempTree([]);
  execFileSync('mkfifo', [tree.at('pipe')]);
  expect(await told(tree.at('pipe'))).toContain('it is neither a directory nor a file');
});

test.skipIf(process.getuid?.() === 0)(
  'names what this user may not open (root may open everything)',
  async () => {
    using tree = tempTree(['app/']);
    chmodSync(tree.at('app'), 0o000);
    try {
      expect(await told(tree.at('app'))).toContain('this user may not open it');
    } finally {
      chmodSync(tree.at('app'), 0o700);
    }
  },
);

test('a name cannot forge a line', async () => {
  using tree = tempTree([]);
  const text = await told(tree.at('a\nrootward: b'));
  expect(text.split('\n')).toHaveLength(2);
});

test('reports rules that match no given directory; without directories nothing is known yet', () => {
  const lines: string[] = [];
  const stderr = { write: (text: string) => void lines.push(text) };
  const context = { cwd: '/', process: { stdout: stderr, stderr, env: {} } };
  const policy = { roots: { app: { deny: ['x'] }, docs: { deny: ['x'] } } };
  warnOfRules(context, { directories: undefined, project: undefined, policy });
  warnOfRules(context, { directories: ['/srv/app'], project: undefined, policy });
  warnOfRules(context, { directories: undefined, project: '/srv/docs', policy });
  expect(lines).toEqual(
    ['docs', 'app'].map((name) => `rootward: Warning: the rules for "${name}" fit no root\n`),
  );
});

interface Saying {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ServeFlags;
  readonly http?: string;
}

function toldTellUnread({ env = {}, flags = {}, http }: Saying): string {
  let text = '';
  const terminal = { write: (part: string) => void (text += part) };
  const context = { process: { stdout: terminal, stderr: terminal, env }, cwd: '/' };
  warnOfUnread(context, flags, { http });
  return text;
}

test('reports a misspelled variable with a suggestion, but not its value', () => {
  expect(toldTellUnread({ env: { ROOTWARD_READ_ONYL: 'hush', PATH: '/bin' } })).toBe(
    'rootward: Warning: "ROOTWARD_READ_ONYL" is unknown and has no effect; did you mean ROOTWARD_READ_ONLY?\n',
  );
});

test('reports an unknown variable, which cannot forge a line', () => {
  const text = toldTellUnread({ env: { 'ROOTWARD_COLOUR\nrootward: all is well': '1' } });
  expect(text.split('\n')).toHaveLength(2);
  expect(text).not.toContain('did you mean');
});

test('does not report known, empty or foreign variables', () => {
  const read = [
    ...serveVariables,
    'ROOTWARD_HOME',
    'ROOTWARD_TOKEN',
    'ROOTWARD_SEALING_KEY',
    'ROOTWARD_SESSIONS_PASSWORD',
    'ROOTWARD_WORKER_PORT',
  ];
  const env = Object.fromEntries(read.map((name) => [name, 'x']));
  expect(toldTellUnread({ env: { ...env, ROOTWARD_READ_ONYL: '', MY_ROOTWARD_X: '1' } })).toBe('');
});

test('reports HTTP flags on stdio', () => {
  const flags: ServeFlags = { host: ['a.example'], tokenFile: '/token', merge: 'union' };
  expect(toldTellUnread({ flags })).toBe(
    ['--host', '--token-file']
      .map((flag) => `rootward: Warning: ${flag} has no effect without --http\n`)
      .join(''),
  );
  expect(toldTellUnread({ flags, http: '' })).toBe('');
});
