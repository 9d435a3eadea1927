import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { access } from '../../../src/access.ts';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { createMemorySink } from '../../../src/audit/sink.ts';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { RootwardError } from '../../../src/errors.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { parseRoots } from '../../../src/path/root.ts';
import type { PolicyConfig } from '../../../src/policy/rules/policy-config.ts';
import { parsePolicy } from '../../../src/policy/rules/policy.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { createShell } from '../../../src/tools/shell.ts';
import { defineTool, type Tool } from '../../../src/tools/tool/tool.ts';
import { type Location, openWorkspace } from '../../../src/workspace/workspace.ts';
import { changesBetween, snapshot } from '../../support/trees/snapshot.ts';
import { listTree } from '../../support/trees/list-tree.ts';
import { connectKit, type KitClient } from '../../support/peers/connect-kit.ts';
import { mountSmallDisk } from '../../support/trees/small-disk.ts';

const confinement = await probeConfinement();
const shell = createShell({ confinement, allowUnconfined: true });
const everything: PolicyConfig = { allow: ['read', 'list', 'write', 'remove', 'execute'] };

/** One tool, and one later step of it that fails. */
interface Row {
  readonly step: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tree: readonly string[];
  readonly policy?: PolicyConfig;
  /** Makes the step fail, with what this system offers; `undefined` where it does not. */
  readonly fault?: (tree: TempTree) => Disposable | undefined;
  /** The sink refuses every entry, after it has read it. */
  readonly deafSink?: true;
  /** The client cancels once the command line has made the file `begun`. */
  readonly cancels?: true;
  /** What the entries say, each as `path: outcome`. */
  readonly entries: readonly string[];
  /** What they say was changed, each as `kind place`. */
  readonly changed: readonly string[];
  /** What the model reads about it; nothing where the call succeeds or is cancelled. */
  readonly says?: string;
}

const many = Array.from({ length: 20 }, (_, index) => `app/big/d${index}/f`);
const deep = Array.from({ length: 40 }, (_, index) => `app/t/d${index}/f`);

const rows: readonly Row[] = [
  {
    step: 'looks at a place that may be written and not be listed',
    tool: 'edit_file',
    input: { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] },
    tree: ['app/a.txt = old'],
    policy: { allow: ['read', 'write'] },
    entries: ['a.txt: done'],
    changed: ['written a.txt'],
  },
  ...[
    {
      tool: 'edit_file',
      input: { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] },
      kind: 'written a.txt',
    },
    { tool: 'write_file', input: { path: 'a.txt', content: 'new' }, kind: 'written a.txt' },
    { tool: 'create_directory', input: { path: 'd' }, kind: 'made d' },
    { tool: 'remove_file', input: { path: 'a.txt' }, kind: 'removed a.txt' },
  ].map(({ tool, input, kind }) => ({
    step: 'cannot be written down',
    tool,
    input,
    tree: ['app/a.txt = old'],
    deafSink: true as const,
    entries: [`${input.path}: done`],
    changed: [kind],
    says: `${kind.replace(' ', ' "')}" in "app"`,
  })),
  {
    step: 'cannot be written down',
    tool: 'copy_file',
    input: { source: 'a.txt', destination: 'b.txt' },
    tree: ['app/a.txt = old'],
    deafSink: true,
    entries: ['b.txt: done', 'a.txt: failed'],
    changed: ['written b.txt'],
    says: 'written "b.txt" in "app"',
  },
  {
    step: 'cannot be written down',
    tool: 'move_file',
    input: { source: 'a.txt', destination: 'b.txt' },
    tree: ['app/a.txt = old'],
    deafSink: true,
    entries: ['b.txt: done', 'a.txt: failed'],
    changed: ['moved-here b.txt', 'moved-away a.txt'],
    says: 'moved away "a.txt" in "app"',
  },
  {
    step: 'follows a link that leads out, when the directories on its way are made',
    tool: 'create_directory',
    input: { path: 'l' },
    tree: ['app/l => n1/n2/../../../outside'],
    entries: ['l: failed'],
    changed: ['made n1', 'made n1/n2'],
    says: 'made "n1", made "n1/n2" in "app"',
  },
  {
    step: 'meets a rule behind a link, when a directory is made',
    tool: 'create_directory',
    input: { path: 'new/up/x' },
    tree: ['app/.git/', 'app/l => .git', 'app/new/', 'app/new/up => ../l/hooks'],
    policy: { preset: 'write-in-project' },
    entries: ['new/up/x: refused'],
    changed: [],
  },
  {
    step: 'finds the disk full, when the directories of the copy are made',
    tool: 'copy_file',
    input: { source: 'large', destination: 'small/n1/n2/copy', parents: true },
    tree: ['app/small/', `app/large = ${'x'.repeat(200_000)}`],
    fault: (tree) => mountSmallDisk(tree.at('app/small')),
    entries: ['small/n1/n2/copy: failed', 'large: failed'],
    changed: ['made small/n1', 'made small/n1/n2'],
    says: 'made "small/n1", made "small/n1/n2" in "app"',
  },
  {
    step: 'finds the disk full',
    tool: 'write_file',
    input: { path: 'small/a.txt', content: 'x'.repeat(200_000) },
    tree: ['app/small/'],
    fault: (tree) => mountSmallDisk(tree.at('app/small')),
    entries: ['small/a.txt: failed'],
    changed: [],
  },
  {
    step: 'meets something in the tree that cannot be removed',
    tool: 'remove_file',
    input: { path: 't', recursive: true },
    tree: [...deep, 'app/t/stuck/'],
    fault: (tree) => mountSmallDisk(tree.at('app/t/stuck')),
    entries: ['t: failed'],
    changed: ['removed t'],
    says: 'removed "t"',
  },
  {
    step: 'has given the file its new name and cannot take the old one away',
    tool: 'move_file',
    input: { source: 'kept/a.txt', destination: 'b.txt' },
    tree: ['app/kept/a.txt'],
    fault: (tree) => appendOnly(tree.at('app/kept')),
    entries: ['b.txt: failed', 'kept/a.txt: failed'],
    changed: ['moved-here b.txt'],
    says: 'moved something to "b.txt" in "app"',
  },
  {
    step: 'finds that the target is on another disk',
    tool: 'move_file',
    input: { source: 'a.txt', destination: 'other/a.txt' },
    tree: ['app/a.txt', 'app/other/'],
    fault: (tree) => mountSmallDisk(tree.at('app/other')),
    entries: ['other/a.txt: failed', 'a.txt: failed'],
    changed: [],
  },
  {
    step: 'is cancelled while the command line runs',
    tool: 'shell',
    input: { command: 'echo > begun; sleep 30' },
    tree: ['app/'],
    cancels: true,
    entries: ['.: cancelled'],
    changed: ['started .'],
  },
  {
    step: 'returns more than a message can hold',
    tool: 'write_and_boast',
    input: { path: 'a.txt' },
    tree: ['app/'],
    entries: ['a.txt: done'],
    changed: ['written a.txt'],
    says: 'written "a.txt" in "app"',
  },
  {
    step: 'fails in an unforeseen way',
    tool: 'write_and_fall',
    input: { path: 'a.txt' },
    tree: ['app/'],
    entries: ['a.txt: failed'],
    changed: ['written a.txt'],
    says: 'written "a.txt" in "app"',
  },
  {
    step: 'is refused a second place',
    tool: 'write_and_reach',
    input: { path: 'a.txt' },
    tree: ['app/.env = secret'],
    policy: { preset: 'write-in-project' },
    entries: ['a.txt: failed'],
    changed: ['written a.txt'],
    says: 'written "a.txt" in "app"',
  },
];

/** An author's own tools, which change something and then fail. */
const careless: readonly Tool[] = [
  ['write_and_boast', (path: string) => path.repeat(4_000_000)] as const,
  ['write_and_fall', () => Promise.reject(new TypeError('x'))] as const,
].map(([name, after]) => carelessTool(name, async (path) => ({ content: await after(path) })));

function carelessTool(name: string, after: (path: string) => Promise<{ content: string }>): Tool {
  return defineTool({
    name,
    title: name,
    description: name,
    operations: ['write'],
    effect: 'change',
    input: z.object({ path: z.string() }),
    output: z.object({ content: z.string() }),
    async run({ path }, call) {
      const failsInside = name === 'write_and_fall';
      const structuredContent = await call.access({ operation: 'write', path }, async (location) => {
        await location.boundary.write(location.relative, 'written');
        return failsInside ? after(path) : { content: '' };
      });
      const said = failsInside ? structuredContent : await after(path);
      return { content: [{ type: 'text', text: said.content }], structuredContent: said };
    },
  });
}

const reaching: Tool = defineTool({
  name: 'write_and_reach',
  title: 'x',
  description: 'x',
  operations: ['write'],
  effect: 'change',
  input: z.object({ path: z.string() }),
  output: z.object({}),
  run: ({ path }, call) =>
    call.access({ operation: 'write', path }, async ({ boundary, relative }) => {
      await boundary.write(relative, 'written');
      await boundary.write('.env', 'stolen');
      return { content: [], structuredContent: {} };
    }),
});

/** What is in it stays in it, while more can be added. */
function appendOnly(path: string): Disposable | undefined {
  try {
    execFileSync('/usr/bin/chattr', ['+a', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => void execFileSync('/usr/bin/chattr', ['-a', path]) };
}

interface Recorded {
  readonly client: KitClient;
  readonly entries: AuditEntry[];
}

async function serve(
  tree: TempTree,
  { policy = everything, deafSink }: Pick<Row, 'policy' | 'deafSink'>,
  roots: readonly string[] = ['app'],
): Promise<Recorded> {
  const entries: AuditEntry[] = [];
  const audit = {
    record(entry: AuditEntry): void {
      entries.push(entry);
      if (deafSink === true) throw new RootwardError('AUDIT_FAILED', { reason: 'the sink is deaf' });
    },
    close: async () => {},
  };
  const tools = [...allTools, ...careless, reaching, ...(shell === undefined ? [] : [shell])];
  const client = await connectKit({
    tools,
    attach: { ceiling: roots.map((name) => tree.at(name)), policy, audit },
  });
  return { client, entries };
}

async function callTool(client: KitClient, { tool, input, cancels }: Row, tree: TempTree): Promise<string> {
  const stop = new AbortController();
  const params = { name: tool, arguments: { ...input } };
  const calling = client.client
    .callTool(params, { signal: stop.signal })
    .catch((error: unknown) => String(error));
  if (cancels === true) {
    await expect.poll(() => existsSync(tree.at('app/begun')), { timeout: 20_000 }).toBe(true);
    stop.abort();
  }
  const result = await calling;
  if (typeof result === 'string') return result;
  const content = result.content as readonly { readonly text?: string }[];
  return result.isError === true ? content.map(({ text }) => text).join('\n') : '';
}

/** Each change on the disk is told, at its place or above it, and nothing is told that is not there. */
function expectAgreement(onDisk: readonly string[], entries: readonly AuditEntry[]): void {
  const told = entries.flatMap(({ changed = [] }) => changed);
  const covers = (place: string, name: string): boolean =>
    place === '.' || name === place || name.startsWith(`${place}/`);
  expect(onDisk.filter((name) => !told.some(({ place }) => covers(place, name)))).toEqual([]);
  expect(told.filter(({ place }) => !onDisk.some((name) => covers(place, name)))).toEqual([]);
  for (const { kind, place, count } of told)
    if (kind === 'removed') expect(onDisk.filter((name) => covers(place, name))).toHaveLength(count);
}

describe('the entry says what the disk says', () => {
  test.each(rows.map((row) => [row.tool, row.step, row] as const))(
    '%s, which %s',
    async (_tool, _step, row) => {
      using tree = tempTree(row.tree);
      using fault = row.fault?.(tree);
      if (row.fault !== undefined && fault === undefined) return;
      const recorded = await serve(tree, row);
      await using client = recorded.client;
      const before = snapshot(tree.at('app'), { times: false });
      const said = await callTool(client, row, tree);
      await expect.poll(() => recorded.entries.length, { timeout: 20_000 }).toBe(row.entries.length);
      const { entries } = recorded;
      expectAgreement(changesBetween(before, snapshot(tree.at('app'), { times: false })), entries);
      expect(entries.map(({ path, outcome }) => `${path}: ${outcome}`)).toEqual(row.entries);
      expect(
        entries.flatMap(({ changed = [] }) => changed.map(({ kind, place }) => `${kind} ${place}`)),
      ).toEqual(row.changed);
      if (row.says === undefined) expect(said).not.toContain('Before this error');
      else expect(said).toContain(row.says);
    },
  );
});

/** The acts of tools that report how far they are, cancelled when they first do. */
const interrupted = {
  'a copy': (location: Location, stop: AbortController) =>
    location.boundary.copy('large', location.relative, {
      parents: true,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    }),
  'the removal of a tree': (location: Location, stop: AbortController) =>
    location.boundary.remove(location.relative, {
      tree: true,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    }),
} as const;

test.each([
  ['a copy', 'write', 'n1/copy', [{ kind: 'made', place: 'n1', count: 1 }]],
  ['the removal of a tree', 'remove', 'big', [{ kind: 'removed', place: 'big', count: 1 }]],
] as const)('%s that is cancelled half-way', async (name, operation, path, changed) => {
  using tree = tempTree([...many, `app/large = ${'x'.repeat(2_000_000)}`]);
  const audit = createMemorySink();
  const { roots } = parseRoots([{ uri: toFileUri(tree.at('app')) }]);
  await using workspace = await openWorkspace(roots);
  const stop = new AbortController();
  const scope = { workspace, policy: parsePolicy(everything), audit, signal: stop.signal };
  const before = snapshot(tree.at('app'), { times: false });
  const act = (location: Location): Promise<void> => interrupted[name](location, stop);
  await expect(access(scope, { operation, path }, act)).rejects.toThrow('aborted');
  expectAgreement(changesBetween(before, snapshot(tree.at('app'), { times: false })), audit.entries());
  expect(audit.entries()).toEqual([expect.objectContaining({ path, outcome: 'cancelled', changed })]);
});

test('a write that an act leaves behind does not happen, because nothing would say so', async () => {
  using tree = tempTree(['app/']);
  const audit = createMemorySink();
  const { roots } = parseRoots([{ uri: toFileUri(tree.at('app')) }]);
  await using workspace = await openWorkspace(roots);
  const scope = { workspace, policy: parsePolicy(everything), audit };
  const left: Promise<unknown>[] = [];
  await access(scope, { operation: 'write', path: 'a' }, ({ boundary, relative }) => {
    left.push(boundary.write(relative, 'x'.repeat(5_000_000)).catch((error: unknown) => error));
  });
  expect(await Promise.all(left)).toEqual([
    expect.objectContaining({ code: 'DENIED', data: expect.objectContaining({ rule: 'call-ended' }) }),
  ]);
  expect(listTree(tree.at('app'))).toEqual([]);
  expect(audit.entries()).toEqual([expect.not.objectContaining({ changed: expect.anything() })]);
});

test('a move from root to root is written down in both, with both names', async () => {
  using tree = tempTree(['app/a.txt', 'lib/']);
  const { client, entries } = await serve(tree, {}, ['app', 'lib']);
  await using connected = client;
  const input = { source: tree.at('app/a.txt'), destination: tree.at('lib/b.txt') };
  await connected.client.callTool({ name: 'move_file', arguments: input });
  expect(entries).toEqual([
    expect.objectContaining({
      root: 'lib',
      path: input.destination,
      detail: `from ${input.source}`,
      changed: [{ kind: 'moved-here', place: 'b.txt', count: 1 }],
    }),
    expect.objectContaining({
      root: 'app',
      path: input.source,
      detail: `to ${input.destination}`,
      changed: [{ kind: 'moved-away', place: 'a.txt', count: 1 }],
    }),
  ]);
});
