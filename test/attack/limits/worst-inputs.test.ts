import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StdioWire, openStdioWire } from '../../../src/testing/stdio-wire.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { connectClient } from '../../support/http/clients.ts';
import { childrenOf } from '../../support/processes/children-of.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { startHttp } from '../../support/http/start-http.ts';
import { crowdedTree, hostileTree } from '../../support/trees/hostile-tree.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';
import { type Schema, type WorstCase, worstCases } from '../../support/race/worst-arguments.ts';

/** Milliseconds of processor time for which a call may keep others from running. */
const stretch = 500;
/** Bytes that the server and the programs it started may hold. */
const memory = 300 * 1_048_576;
/** Milliseconds of the clock after which a ping or a call counts as unanswered, on a machine that has other work, too. */
const patience = { ping: 10_000, call: 60_000 } as const;

const watcher = fileURLToPath(new URL('../../support/processes/watch-loop.mjs', import.meta.url));
const allowed = ['--allow', 'read,list,write,remove'];

describe.runIf(process.platform === 'linux')(`the worst that can be asked, seed ${attackSeed}`, () => {
  const scene: { tree?: TempTree; tools?: readonly ListedTool[] } = {};
  const app = (): string => scene.tree?.at('app') ?? '';

  beforeAll(async () => {
    scene.tree = hostileTree(attackScale);
    await using server = await serve(app());
    scene.tools = (await server.request('tools/list', {}))['tools'] as readonly ListedTool[];
  }, 120_000);
  afterAll(() => scene.tree?.[Symbol.dispose](), 120_000);

  test('every text and every list that a tool takes has a maximum', () => {
    const endless = (scene.tools ?? []).flatMap(({ name, inputSchema }) =>
      placesWithoutEnd(inputSchema, name),
    );
    expect(endless).toEqual([]);
  });

  test('the attacks that once stopped the process', { timeout: 300_000 }, async () => {
    await using server = await serve(app());
    expect(await server.run(known)).toEqual([]);
    expect(server.log()).toContain('TOO_MUCH_WORK');
  });

  test('a deep directory with very many documents', { timeout: 300_000 }, async () => {
    using tree = crowdedTree(attackScale > 1 ? 50_000 * attackScale : 10_000);
    await using server = await serve(tree.at('app'));
    expect(await server.run(crowded)).toEqual([]);
  });

  test('every tool, with the worst that its schema allows', { timeout: 900_000 }, async () => {
    await using server = await serve(app());
    expect(await server.run(sample(scene.tools ?? []))).toEqual([]);
  });

  test('the same over HTTP, where another client is answered meanwhile', { timeout: 300_000 }, async () => {
    const faults: string[] = [];
    using place = tempTree();
    await using server = await startHttp({ args: [app(), ...allowed], ...watched(place) });
    const options = { url: server.url, token: server.token, roots: () => [{ uri: `file://${app()}` }] };
    await using attacker = await connectClient('v2 in 2025', options);
    await using other = await connectClient('v2 in 2026', options);
    for (const { tool, flavour, arguments: args } of known.filter(({ http }) => http === true)) {
      const attack = until(attacker.call(tool, { ...args }).catch(String));
      while (!attack.isOver()) {
        const asked = performance.now();
        await other.call('list_allowed_directories');
        if (performance.now() - asked > patience.ping)
          faults.push(`${tool} (${flavour}): another client waited`);
        await attack.moment();
      }
      for (const held of heldIn(place))
        if (held > stretch) faults.push(`${tool} (${flavour}): it held the process for ${held} ms`);
    }
    expect(faults).toEqual([]);
  });
});

interface Awaited {
  isOver(): boolean;
  /** Passes when it is over, and after a moment at the latest. */
  moment(): Promise<void>;
}

function until(done: Promise<unknown>): Awaited {
  const state = { isOver: false };
  const over = done.then(() => void (state.isOver = true));
  return {
    isOver: () => state.isOver,
    moment: () => Promise.race([over, new Promise<void>((resolve) => void setTimeout(resolve, 50))]),
  };
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly annotations: { readonly readOnlyHint?: boolean };
}

interface Attack extends WorstCase {
  readonly tool: string;
  /** Whether it is sent over HTTP, too: one of each kind is. */
  readonly http?: true;
}

const braces = `{${Array.from({ length: 200 }, (_, index) => `a${index}`).join(',')}}`;
const words = 'a b c d e f g h i j k l m n o p';

const known: readonly Attack[] = [
  { tool: 'project_info', flavour: 'manifests', arguments: {} },
  { tool: 'build_config', flavour: 'manifests', http: true, arguments: {} },
  {
    tool: 'get_file_info',
    flavour: 'manifests of the project that it names',
    arguments: { path: '.', cwd: 'projects/p0' },
  },
  { tool: 'find_docs', flavour: 'documents × lines × words', arguments: { query: words } },
  {
    tool: 'edit_file',
    flavour: 'lines × lines',
    arguments: {
      path: 'lines.txt',
      edits: [{ oldText: 'a\n'.repeat(1_000_000), newText: 'b\n'.repeat(1_000_000) }],
      dryRun: true,
    },
  },
  {
    tool: 'edit_file',
    flavour: 'many edits',
    http: true,
    arguments: {
      path: 'lines.txt',
      edits: Array.from({ length: 1_000 }, () => ({ oldText: 'a', newText: 'b' })),
      dryRun: true,
    },
  },
  {
    tool: 'edit_file',
    flavour: 'lines that are nearly there',
    arguments: { path: 'lines.txt', edits: [{ oldText: `${' a\n'.repeat(300_000)}b`, newText: '' }] },
  },
  {
    tool: 'find_files',
    flavour: 'globs',
    arguments: { path: 'many', globs: Array(1_000).fill(`*${braces}`) },
  },
  {
    tool: 'find_files',
    flavour: 'as many globs as are taken',
    http: true,
    arguments: { path: 'many', globs: Array(20).fill(`*${braces}b`), gitignore: true },
  },
  {
    tool: 'search_files',
    flavour: 'globs',
    arguments: { path: 'many', pattern: '**', excludePatterns: Array(20).fill(`*${braces}b`) },
  },
  {
    tool: 'directory_tree',
    flavour: 'globs',
    arguments: { path: '.', excludePatterns: Array(20).fill(`*${braces}b`) },
  },
  {
    tool: 'search_text',
    flavour: 'one long line',
    http: true,
    arguments: { pattern: '.', path: 'line.txt' },
  },
  {
    tool: 'search_text',
    flavour: 'everything',
    arguments: { pattern: 'a', gitignore: false, context: 20, limit: 2_000 },
  },
  {
    tool: 'read_multiple_files',
    flavour: 'one file a thousand times',
    arguments: { paths: Array(1_000).fill('line.txt') },
  },
];

const crowded: readonly Attack[] = [
  { tool: 'directory_tree', flavour: 'indents × entries', arguments: { path: '.' } },
  { tool: 'find_docs', flavour: 'documents to order', arguments: { query: words } },
  { tool: 'find_files', flavour: 'paths to order', arguments: { globs: ['**'], limit: 10_000 } },
  { tool: 'search_files', flavour: 'paths to order', arguments: { path: '.', pattern: '**' } },
];

const places = [
  '.',
  'many',
  'docs',
  'projects',
  'maze',
  'deep',
  'line.txt',
  'lines.txt',
  'ends.txt',
  'blank.txt',
  'pom.xml',
  'sparse.bin',
  'pipe',
  'maze/l0',
  'maze/here/here/up',
];

/** Cases of every tool, chosen by the seed: one of each at least. */
function sample(tools: readonly ListedTool[]): readonly Attack[] {
  const random = createRandom(attackSeed);
  return tools.flatMap(({ name, inputSchema, annotations }) => {
    // What changes something gets a place of its own, so that the tree stays as it is; an edit is only tried.
    const isHarmless = annotations.readOnlyHint === true || name === 'edit_file';
    const cases = worstCases(inputSchema, isHarmless ? places : ['scratch', 'scratch/a']);
    return Array.from({ length: Math.ceil(attackScale) }, () => {
      const chosen = cases[Math.floor(random() * cases.length)] ?? { flavour: 'nothing', arguments: {} };
      return { ...chosen, tool: name };
    });
  });
}

function placesWithoutEnd(schema: Schema, place: string): readonly string[] {
  const within = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      placesWithoutEnd(field, `${place}.${name}`),
    ),
    ...(schema.items === undefined ? [] : placesWithoutEnd(schema.items, `${place}[]`)),
  ];
  const isText = schema.type === 'string' && schema.enum === undefined && schema.maxLength === undefined;
  return isText || (schema.type === 'array' && schema.maxItems === undefined) ? [place, ...within] : within;
}

interface Served extends AsyncDisposable {
  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  /** Runs attacks one after the other, with pings meanwhile; what they did to the server, a sentence each. */
  run(attacks: readonly Attack[]): Promise<readonly string[]>;
  /** What it wrote down: a call that was ended leaves a line as every other does. */
  log(): string;
}

async function serve(app: string): Promise<Served> {
  mkdirSync(`${app}/scratch`, { recursive: true });
  const place = tempTree();
  const command = serveCommand({ args: [app, ...allowed], ...watched(place) });
  const wire = openStdioWire(command);
  const request = createRequester(wire);
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attacker', version: '1' },
  });
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    request,
    async run(attacks) {
      const faults: string[] = [];
      for (const attack of attacks) faults.push(...(await runOne(attack, { wire, request, place })));
      return faults;
    },
    log: () => readLog(command.home),
    async [Symbol.asyncDispose]() {
      await wire.close();
      command[Symbol.dispose]();
      place[Symbol.dispose]();
    },
  };
}

function watched(place: TempTree): { node: readonly string[]; env: Readonly<Record<string, string>> } {
  // Room for what is needed, not for what waits to be collected: a server that needs more ends, which is a fault.
  return {
    node: ['--import', watcher],
    env: { WATCH_LOOP_FILE: place.at('held') },
  };
}

type Requester = Served['request'];

function createRequester(wire: StdioWire): Requester {
  const waiting = new Map<number, (message: Readonly<Record<string, unknown>>) => void>();
  const died = { result: { died: true } };
  let [next, isOpen] = [0, true];
  wire.onmessage = (message) => {
    waiting.get(Number(message['id']))?.(message);
    waiting.delete(Number(message['id']));
  };
  wire.onclose = () => {
    isOpen = false;
    for (const answer of waiting.values()) answer(died);
  };
  return async (method, params) => {
    next += 1;
    const id = next;
    const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => waiting.set(id, resolve));
    if (!isOpen) return died.result;
    await wire.send({ jsonrpc: '2.0', id, method, params });
    const { result, error } = await answered;
    return (result ?? { error }) as Readonly<Record<string, unknown>>;
  };
}

interface Scene {
  readonly wire: StdioWire;
  readonly request: Requester;
  readonly place: TempTree;
}

async function runOne(attack: Attack, { wire, request, place }: Scene): Promise<readonly string[]> {
  const { tool, flavour, arguments: args } = attack;
  const faults: string[] = [];
  const fault = (said: string): void => void faults.push(`${tool} (${flavour}): ${said}`);
  heldIn(place);
  const started = performance.now();
  const state: { result?: Readonly<Record<string, unknown>>; largest: number } = { largest: 0 };
  const call = until(
    request('tools/call', { name: tool, arguments: args }).then((result) => (state.result = result)),
  );
  while (!call.isOver()) {
    const asked = performance.now();
    await request('ping', {});
    if (performance.now() - asked > patience.ping) fault('a ping had to wait');
    state.largest = Math.max(state.largest, memoryOf(wire.pid ?? 0));
    if (performance.now() - started > patience.call)
      return [...faults, `${tool} (${flavour}): it does not end`];
    await call.moment();
  }
  for (const held of heldIn(place)) if (held > stretch) fault(`it held the process for ${held} ms`);
  if (state.largest > memory) fault(`${Math.round(state.largest / 1_048_576)} MiB`);
  if (state.result?.['died'] === true) fault(`the server ended: ${wire.stderr()}`);
  if (/failed inside/.test(JSON.stringify(state.result).slice(0, 1_000))) fault(wire.stderr());
  return faults;
}

/** For how long the loop was held since the last look, whenever it was for long. */
function heldIn(place: TempTree): readonly number[] {
  const seen = seenIn.get(place) ?? 0;
  if (!existsSync(place.at('held'))) return [];
  const all = readFileSync(place.at('held'), 'utf8').split('\n').filter(Boolean).map(Number);
  seenIn.set(place, all.length);
  return all.slice(seen);
}

const seenIn = new WeakMap<TempTree, number>();

/** Bytes that a process and those it started hold at the moment. */
function memoryOf(pid: number): number {
  const pids = [pid, ...childrenOf(pid).map((child) => Number.parseInt(child, 10))];
  return pids.reduce((sum, each) => sum + residentOf(each), 0);
}

function residentOf(pid: number): number {
  try {
    const [kibibytes] = /(?<=^VmRSS:\s*)\d+/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? ['0'];
    return Number(kibibytes) * 1_024;
  } catch {
    return 0;
  }
}

function readLog(home: string): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return files.map((name) => readFileSync(`${home}/${name}`, 'utf8')).join('');
}
