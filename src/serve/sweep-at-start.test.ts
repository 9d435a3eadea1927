import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect, test } from 'vitest';
import { temporaryName } from '../boundary/read/temporary-name.ts';
import type { MergeMode } from '../policy/merge.ts';
import type { PolicyConfig } from '../policy/rules/policy-config.ts';
import type { Rootward } from '../server/settings/rootward.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { allTools } from '../tools/all-tools.ts';
import { createKit, type Kit } from './kit/kit.ts';
import { createSdkServer } from './kit/sdk-server.ts';
import { type StartSweep, sweepAtStart } from './sweep-at-start.ts';

const dead = spawnSync(process.execPath, ['-e', '']).pid;

/** Leaves half a file in `app/src`, and returns its path. */
function leave(tree: TempTree): string {
  const name = temporaryName();
  const path = tree.at(
    'app/src',
    `${name.slice(0, 16)}${dead.toString(16).padStart(6, '0')}${name.slice(22)}`,
  );
  writeFileSync(path, 'half');
  return path;
}

interface Started extends AsyncDisposable {
  readonly kit: Kit;
  readonly sweep: StartSweep;
  readonly rootward: Rootward;
  readonly events: readonly object[];
}

interface Starting {
  readonly policy?: PolicyConfig;
  readonly calm?: number;
  readonly overHttp?: boolean;
  readonly merge?: MergeMode;
}

function start(tree: TempTree, starting: Starting = {}): Started {
  const { policy, calm = 0, overHttp = false, merge } = starting;
  const events: object[] = [];
  const sweep = sweepAtStart({ log: (event) => void events.push(event), calm });
  const attach = {
    ceiling: [tree.at('app')],
    policy: policy ?? { preset: 'write-in-project' as const },
    trace: sweep.trace,
    ...(merge && { merge }),
  };
  const kit = createKit({ version: '1.0.0', tools: allTools, instructions: '', attach });
  const { rootward } = kit.createServer({ overHttp });
  if (!overHttp) sweep.follow(rootward);
  const close = async (): Promise<void> => {
    await sweep.close();
    await rootward.close();
    kit.close();
  };
  return { kit, sweep, rootward, events, [Symbol.asyncDispose]: close };
}

test('removes and records files of killed writers in a root', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree);
  await expect.poll(() => started.events).toEqual([{ kind: 'swept', root: 'app', removed: 1 }]);
  expect(existsSync(left)).toBe(false);
});

test('over HTTP sweeps the roots of the operator once, not with every request', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree, { overHttp: true });
  await started.rootward.roots();
  expect(existsSync(left)).toBe(true);
  started.sweep.follow(started.rootward);
  await expect.poll(() => existsSync(left)).toBe(false);
});

test.each<[why: string, starting: Starting]>([
  ['the policy denies writing there', { policy: { preset: 'write-in-project', deny: ['src/**'] } }],
  ['a person would have to be asked', { policy: { preset: 'ask-before-write' } }],
])('keeps it if %s', async (_why, starting) => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree, starting);
  await expect.poll(() => started.events).toEqual([{ kind: 'swept', root: 'app', removed: 0 }]);
  expect(existsSync(left)).toBe(true);
});

/** A 2026-07-28 client on stdio, as a server sees it. */
async function connectModern({ kit, sweep }: Started, roots?: readonly string[]): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const createServer = (): Server => {
    const { server, rootward } = kit.createServer({ protocol: createSdkServer });
    sweep.follow(rootward);
    return server as unknown as Server;
  };
  serveStdio(createServer, { transport: far });
  const identity = { name: 'tester', version: '1.0.0' };
  const client = new Client(identity, {
    capabilities: roots === undefined ? {} : { roots: {} },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  if (roots !== undefined)
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((path) => ({ uri: `file://${path}` })),
    }));
  await client.connect(near);
  return client;
}

test.each<[roots: string, listed: readonly string[] | undefined, swept: readonly string[]]>([
  ['no roots', undefined, ['app']],
  ['fewer roots', ['app/docs'], ['docs']],
])('sweeps the roots of a 2026-07-28 client with %s', async (_, listed, swept) => {
  using tree = tempTree(['app/src/', 'app/docs/']);
  const left = leave(tree);
  const overHttp = true;
  await using started = start(tree, { overHttp, merge: 'intersect' });
  const client = await connectModern(
    started,
    listed?.map((name) => tree.at(name)),
  );
  await client.callTool({ name: 'list_roots', arguments: {} });
  await expect
    .poll(() => started.events)
    .toEqual(swept.map((root) => expect.objectContaining({ kind: 'swept', root }) as object));
  expect(existsSync(left)).toBe(!swept.includes('app'));
  await client.close();
});

test('starts after the first answers, and not after the end', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree, { calm: 3_600_000 });
  await started.sweep.close();
  expect(existsSync(left)).toBe(true);
  expect(started.events).toEqual([]);
});
