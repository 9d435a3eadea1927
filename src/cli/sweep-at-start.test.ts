import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryName } from '../boundary/temporary-name.ts';
import type { PolicyConfig } from '../policy/policy-config.ts';
import type { Rootward } from '../server/rootward.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { allTools } from '../tools/all-tools.ts';
import { createKit, type KitOptions } from '../tools/ready/kit.ts';
import { type StartSweep, sweepAtStart } from './sweep-at-start.ts';

const dead = spawnSync(process.execPath, ['-e', '']).pid;

/** Leaves half a file in `app/src`, and tells where. */
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
  readonly sweep: StartSweep;
  readonly rootward: Rootward;
  readonly events: readonly object[];
}

interface Starting {
  readonly policy?: PolicyConfig;
  readonly tools?: KitOptions['tools'];
  readonly calm?: number;
  readonly overHttp?: boolean;
}

function start(tree: TempTree, starting: Starting = {}): Started {
  const { policy, tools = allTools, calm = 0, overHttp = false } = starting;
  const events: object[] = [];
  const sweep = sweepAtStart({ log: (event) => void events.push(event), calm });
  const attach = { ceiling: [tree.at('app')], policy: policy ?? { preset: 'write-in-project' as const } };
  const options = sweep.join({ version: '1.0.0', tools, instructions: '', attach });
  const kit = sweep.attend(createKit(options));
  const { rootward } = kit.createServer({ overHttp });
  const close = async (): Promise<void> => {
    await sweep.close();
    await rootward.close();
    kit.close();
  };
  return { sweep, rootward, events, [Symbol.asyncDispose]: close };
}

test('what a killed writer left in a root is removed, and written down', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree);
  await expect.poll(() => started.events).toEqual([{ kind: 'swept', root: 'app', removed: 1 }]);
  expect(existsSync(left)).toBe(false);
});

test('over HTTP the roots of the operator are looked through, once, and not with every request', async () => {
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
])('it stays where %s', async (_why, starting) => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree, starting);
  await expect.poll(() => started.events).toEqual([{ kind: 'swept', root: 'app', removed: 0 }]);
  expect(existsSync(left)).toBe(true);
});

test('nothing is looked through where no tool writes', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  const tools = allTools.filter(({ operations }) => !operations.includes('write'));
  await using reader = start(tree, { tools });
  // Whoever begins later, and does look, is done.
  using other = tempTree(['app/src/']);
  await using writer = start(other);
  await expect.poll(() => writer.events).toHaveLength(1);
  expect(reader.events).toEqual([]);
  expect(existsSync(left)).toBe(true);
});

test('nothing begins before the first answers, and nothing after the end', async () => {
  using tree = tempTree(['app/src/']);
  const left = leave(tree);
  await using started = start(tree, { calm: 3_600_000 });
  await started.sweep.close();
  expect(existsSync(left)).toBe(true);
  expect(started.events).toEqual([]);
});
