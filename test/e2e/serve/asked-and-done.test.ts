import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import type { ClientName } from '../../support/peers/sdk-client.ts';
import { connectHere, type Connected } from '../../support/processes/connect.ts';
import { startHttpHere } from '../../support/http/start-http.ts';

const confinement = await probeConfinement();

/** The real command, with a person in front of its client who says yes. */
interface Scene extends AsyncDisposable {
  readonly tree: TempTree;
  readonly client: Connected;
  /** Makes these files, calls a tool, and tells what was asked and written down meanwhile. */
  run(scene: Played): Promise<Ran>;
}

interface Played {
  readonly files?: readonly string[];
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Happens while the person thinks about the first question. */
  readonly meanwhile?: () => void;
}

interface Ran {
  readonly isError: boolean;
  readonly text: string;
  readonly questions: readonly string[];
  readonly entries: readonly AuditEntry[];
}

async function openScene(era: ClientName, policy: object): Promise<Scene> {
  const tree = tempTree(['app/', `serve.json = ${JSON.stringify({ policy })}`]);
  let questions: string[] = [];
  let meanwhile: Played['meanwhile'];
  const person = (message: string): Record<string, boolean> => {
    questions.push(message);
    meanwhile?.();
    meanwhile = undefined;
    return { allow: true };
  };
  const client = await connectHere(era, {
    args: [tree.at('app'), '--config', tree.at('serve.json')],
    person,
  });
  let seen = 0;
  return {
    tree,
    client,
    async run({ files = [], tool, input, ...during }) {
      tree.add(...files);
      questions = [];
      ({ meanwhile } = during);
      const { isError, text } = await client.call(tool, input);
      const entries = entriesIn(client.home).slice(seen);
      seen += entries.length;
      return { isError, text, questions, entries };
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      tree[Symbol.dispose]();
    },
  };
}

function entriesIn(home: string): readonly AuditEntry[] {
  const lines = readFileSync(join(home, 'log/audit.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AuditEntry);
}

/** Those that can ask a person: one of 2025, one of 2026. */
const eras = ['v2', 'v2 in 2026'] as const;

describe.each(eras)('a person in front of a client of SDK %s', (era) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(era, { allow: ['read', 'list'], ask: ['write', 'remove', 'execute'] });
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test('is asked about the place behind a link, and the entry names it', async () => {
    const { questions, entries } = await scene.run({
      files: ['app/package.json = {}', 'app/NOTES.txt => package.json'],
      tool: 'write_file',
      input: { path: 'NOTES.txt', content: 'changed' },
    });
    expect(questions).toEqual([
      expect.stringContaining(
        'Allow "write_file" to write "NOTES.txt", which is "package.json", in "app": "7 bytes"?',
      ),
    ]);
    expect(readFileSync(scene.tree.at('app/package.json'), 'utf8')).toBe('changed');
    expect(entries).toEqual([
      expect.objectContaining({
        tool: 'write_file',
        path: 'NOTES.txt',
        place: 'package.json',
        rule: 'ask:write:yes',
        outcome: 'done',
        changed: [{ kind: 'written', place: 'package.json', count: 1, lines: { added: 1, removed: 1 } }],
      }),
    ]);
  });

  test.each([
    ['leads to another file', 's1', (path: string) => symlinkSync('other', path)],
    ['is a file itself', 's2', (path: string) => writeFileSync(path, 'a file')],
    ['is gone', 's3', () => {}],
  ])('does not say yes to what is there when the link %s by then', async (_what, name, swap) => {
    const { tree } = scene;
    const link = tree.at('app', name, 'link');
    const { isError, text, questions, entries } = await scene.run({
      files: [`app/${name}/agreed = {}`, `app/${name}/other = {}`, `app/${name}/link => agreed`],
      tool: 'write_file',
      input: { path: `${name}/link`, content: 'stolen' },
      meanwhile() {
        rmSync(link);
        swap(link);
      },
    });
    expect(readFileSync(tree.at('app', name, 'agreed'), 'utf8')).toBe('{}');
    // In 2025 the answer comes to a call that has looked already; in 2026 the call begins anew, and asks anew.
    if (era === 'v2 in 2026') {
      expect([isError, new Set(questions).size]).toEqual([false, 2]);
      return;
    }
    expect([isError, text]).toEqual([true, expect.stringContaining('a different place from the one')]);
    expect(questions).toHaveLength(1);
    expect(readFileSync(tree.at('app', name, 'other'), 'utf8')).toBe('{}');
    expect(entries).toEqual([expect.objectContaining({ verdict: 'deny', outcome: 'refused' })]);
  });

  test('is asked about both places of a move, and each question and entry names the other', async () => {
    const { isError, questions, entries } = await scene.run({
      files: ['app/a.txt'],
      tool: 'move_file',
      input: { source: 'a.txt', destination: 'b.txt' },
    });
    expect(isError).toBe(false);
    expect([...new Set(questions)]).toEqual([
      expect.stringContaining('to write "a.txt" in "app": "to b.txt"?'),
      expect.stringContaining('to write "b.txt" in "app": "from a.txt"?'),
    ]);
    expect(entries).toEqual([
      expect.objectContaining({ path: 'b.txt', detail: 'from a.txt', outcome: 'done' }),
      expect.objectContaining({ path: 'a.txt', detail: 'to b.txt', outcome: 'done' }),
    ]);
  });

  test('hears that a yes to the removal of a directory is one to everything in it', async () => {
    const { questions, entries } = await scene.run({
      files: ['app/build/a', 'app/build/b'],
      tool: 'remove_file',
      input: { path: 'build', recursive: true },
    });
    expect(questions[0]).toContain('to remove "build" and everything in it in "app"');
    expect(entries).toEqual([
      expect.objectContaining({ changed: [{ kind: 'removed', place: 'build', count: 3 }] }),
    ]);
  });

  test.runIf(confinement.kind !== 'none')(
    'reads the command line, also what cannot be seen in it',
    async () => {
      const command = 'echo one\u202E\n# two';
      const { questions, entries } = await scene.run({ tool: 'shell', input: { command } });
      expect(questions[0]).toContain(
        'Allow "shell" to run a command line in "." in "app": "echo one\\u{202e}\\u{a}# two"? It can reach everything in "app".',
      );
      expect(entries).toEqual([
        expect.objectContaining({
          operation: 'execute',
          tool: 'shell',
          detail: command,
          changed: [{ kind: 'started', place: '.', count: 1 }],
        }),
      ]);
    },
  );

  test.each([
    ['l', ['app/.env = secret', 'app/l => .env'], 'deny:.env'],
    ['out', ['secret', 'app/out => ../secret'], 'outside-roots'],
  ])('is not asked about "%s", which no yes could open', async (path, files, rule) => {
    const { questions, entries } = await scene.run({
      files,
      tool: 'write_file',
      input: { path, content: 'x' },
    });
    expect(questions).toEqual([]);
    expect(entries).toEqual([expect.objectContaining({ rule, outcome: 'refused' })]);
  });

  test('finds a line about every look', async () => {
    const look = { event: 'look', tool: 'check_path' };
    const inside = { files: ['app/real', 'app/l2 => real'], tool: 'check_path', input: { path: 'l2' } };
    expect((await scene.run(inside)).entries).toEqual([
      expect.objectContaining({ ...look, path: 'l2', place: 'real', outcome: 'done' }),
    ]);
    const outside = { tool: 'check_path', input: { path: '/etc/passwd' } };
    expect((await scene.run(outside)).entries).toEqual([
      expect.objectContaining({ ...look, path: '/etc/passwd', outcome: 'refused' }),
    ]);
  });
});

describe('a server that may write and not list', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene('v1', { allow: ['read', 'write'] });
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test('edits a file and says that it did', async () => {
    const edits = [{ oldText: 'old', newText: 'new' }];
    const { isError, entries } = await scene.run({
      files: ['app/a.txt = old'],
      tool: 'edit_file',
      input: { path: 'a.txt', edits },
    });
    expect([isError, readFileSync(scene.tree.at('app/a.txt'), 'utf8')]).toEqual([false, 'new']);
    expect(entries).toEqual([expect.objectContaining({ verdict: 'allow', outcome: 'done' })]);
  });

  test('says to the model and in the log what was changed before it was refused', async () => {
    const { isError, text, entries } = await scene.run({
      files: ['app/l => n1/n2/../../../outside'],
      tool: 'create_directory',
      input: { path: 'l' },
    });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining('Before this error the call had made "n1", made "n1/n2" in "app"'),
    ]);
    expect(entries).toEqual([
      expect.objectContaining({
        verdict: 'deny',
        outcome: 'failed',
        code: 'OUTSIDE_ROOTS',
        changed: [
          { kind: 'made', place: 'n1', count: 1 },
          { kind: 'made', place: 'n1/n2', count: 1 },
        ],
      }),
    ]);
  });
});

test('over HTTP the question, the binding to its place and the entry are the same', async () => {
  const policy = { allow: ['read', 'list'], ask: ['write'] };
  using tree = tempTree(['app/agreed = {}', 'app/other = {}', 'app/link => agreed', 'home/']);
  writeFileSync(tree.at('serve.json'), JSON.stringify({ policy }));
  const args = [tree.at('app'), '--config', tree.at('serve.json')];
  await using server = await startHttpHere({ args, env: { ROOTWARD_HOME: tree.at('home') } });
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { elicitation: {} } });
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    if (questions.length === 2) {
      rmSync(tree.at('app/link'));
      symlinkSync('other', tree.at('app/link'));
    }
    return { action: 'accept', content: { allow: true } };
  });
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  const write = { name: 'write_file', arguments: { path: 'link', content: 'x' } };
  expect((await client.callTool(write)).isError ?? false).toBe(false);
  expect((await client.callTool(write)).isError).toBe(true);
  await client.close();
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('to write "link", which is "agreed", in "app": "1 bytes"?');
  expect(readFileSync(tree.at('app/other'), 'utf8')).toBe('{}');
  expect(entriesIn(tree.at('home'))).toEqual([
    expect.objectContaining({ place: 'agreed', outcome: 'done' }),
    expect.objectContaining({ path: 'link', outcome: 'refused', rule: 'ask:write' }),
  ]);
});
