import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { truthTable } from '../../../src/policy/truth-table.ts';
import { type Listening, startHttpHere } from '../../support/http/start-http.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { openWireHere } from '../../support/processes/serve-here.ts';

/** The answer of a client to one question; `fails` is an error. */
type Step = readonly [answer: readonly unknown[] | 'fails', row: string];

const unusable = ['https://example.com/app', 'file:///${workspaceFolder}', 5].map((uri) => ({ uri }));

interface Listing {
  readonly good: readonly unknown[];
  readonly missing: readonly unknown[];
}

const rows = {
  undeclared: 'unsupported, not askable',
  listed: 'listed',
  empty: 'empty, never listed before',
  unusable: 'listed, and no entry is usable',
  broad: 'listed, too broad',
  revoked: 'empty or unusable after having listed (revoked)',
  failed: 'failed at the first ask',
  changed: 'failed after a change',
} as const;

/** What a client answers one after the other, and the row of the table that each answer falls in. */
const sequences: Readonly<Record<string, (files: Listing) => readonly Step[]>> = {
  'lists what cannot be used, then roots, then neither': ({ good }) => [
    [unusable, rows.unusable],
    [good, rows.listed],
    [unusable, rows.revoked],
    [[{ uri: 'file:///' }], rows.broad],
  ],
  'lists what does not exist, then nothing, then roots': ({ good, missing }) => [
    [missing, rows.unusable],
    [[], rows.empty],
    [good, rows.listed],
    [missing, rows.revoked],
    [[], rows.revoked],
  ],
  'fails, has none, lists some, and fails': ({ good }) => [
    ['fails', rows.failed],
    [[], rows.empty],
    [good, rows.listed],
    ['fails', rows.changed],
  ],
  'declares nothing': () => [[[], rows.undeclared]],
};

const columns = [
  { transport: 'stdio', mode: 'union', named: true },
  { transport: 'stdio', mode: 'union', named: false },
  { transport: 'http', mode: 'intersect', named: true },
  { transport: 'http', mode: 'intersect', named: false },
] as const;

type Column = (typeof columns)[number];

let files: TempTree;
let listening: { readonly named: Listening; readonly none: Listening };

beforeAll(async () => {
  files = tempTree(['proj/package.json = {}', 'named/app/a.txt', 'other/b.txt']);
  const [named, none] = await Promise.all([
    startHttpHere({ args: [files.at('named')], cwd: files.at('proj') }),
    startHttpHere({ cwd: files.at('proj') }),
  ]);
  listening = { named, none };
});

afterAll(async () => {
  await Promise.all(Object.values(listening).map((server) => server[Symbol.asyncDispose]()));
  files[Symbol.dispose]();
});

describe.each(columns)('over $transport, operator named directories: $named', (column) => {
  test.each(Object.entries(sequences))('a client that %s', async (title, sequence) => {
    const uri = (name: string): { uri: string } => ({ uri: `file://${files.at(name)}` });
    const steps = sequence({
      good: [uri('named/app'), uri('other')],
      missing: [uri('named/none'), uri('named/gone')],
    });
    const answers = steps.map(([answer]) => answer);
    await using client = await connect(column, { answers, declares: title !== 'declares nothing' });
    for (const [index, [, row]] of steps.entries()) {
      if (index > 0) await client.change();
      const outcome = truthTable().find(({ mode, answer }) => mode === column.mode && answer === row);
      const expected = outcome?.[column.named ? 'named' : 'noneNamed'] ?? 'no such row';
      expect([row, expected, await client.roots()]).toEqual([row, expected, places[expected]]);
    }
  });
});

/** The directories that each outcome stands for here. */
const places: Readonly<Record<string, readonly string[]>> = {
  those: ['named'],
  listed: ['named/app', 'other'],
  'those ∪ listed': ['named', 'named/app', 'other'],
  'those ∩ listed': ['named/app'],
  detected: ['proj'],
  nothing: [],
};

interface TableClient extends AsyncDisposable {
  roots(): Promise<readonly string[]>;
  /** Goes on to the next answer. */
  change(): Promise<void>;
}

interface Behaviour {
  readonly answers: readonly (readonly unknown[] | 'fails')[];
  readonly declares: boolean;
}

async function connect(column: Column, { answers, declares }: Behaviour): Promise<TableClient> {
  const { transport, close } = open(column);
  const capabilities = declares ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: 'table', version: '1' }, { capabilities });
  let step = 0;
  if (declares)
    client.setRequestHandler('roots/list', () => {
      const answer = answers[step];
      if (answer === 'fails' || answer === undefined) throw new Error('not now');
      return { roots: answer as { uri: string }[] };
    });
  await client.connect(transport);
  return {
    async roots() {
      const { structuredContent = {} } = await client.callTool({ name: 'list_roots', arguments: {} });
      const { roots = [] } = structuredContent as { roots?: readonly { readonly path: string }[] };
      return roots.map(({ path }) => path.slice(files.path.length + 1)).toSorted();
    },
    async change() {
      step += 1;
      await client.sendRootsListChanged();
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      close();
    },
  };
}

function open({ transport, named }: Column): { readonly transport: Transport; readonly close: () => void } {
  if (transport === 'http') {
    const { url, token } = listening[named ? 'named' : 'none'];
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    return { transport: new StreamableHTTPClientTransport(new URL(url), { requestInit }), close: () => {} };
  }
  const command = serveCommand({ args: named ? [files.at('named')] : [], cwd: files.at('proj') });
  return { transport: openWireHere(command), close: () => command[Symbol.dispose]() };
}
