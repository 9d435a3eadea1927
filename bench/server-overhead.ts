import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openPair, type Pair } from './server-pair.ts';
import type { Measurement } from './suite.ts';
import { type Contestant, type PairTimes, timePair } from './time-pair.ts';

/** Into what the same program is compiled is chance, and differs by more than what is looked for. */
const processes = 5;

/** What a tool pays for its workspace: in each of several processes, and then the one in the middle. */
export async function overhead(root: string): Promise<Measurement> {
  const times: PairTimes[] = [];
  for (let index = 0; index < processes; index += 1) times.push(await timeInProcess(root));
  const sorted = times.toSorted((one, other) => one.ours / one.theirs - other.ours / other.theirs);
  const { ours, theirs } = sorted[Math.floor(processes / 2)] ?? { ours: 0, theirs: 1 };
  return {
    name: 'a tool call that awaits its workspace',
    against: 'the same tool on the bare SDK',
    ours,
    theirs,
    target: { kind: 'within', factor: 1.08 },
  };
}

async function timeInProcess(root: string): Promise<PairTimes> {
  const module = new URL(import.meta.url);
  const program = `import('${module.href}').then((it) => it.${tellOverhead.name}(process.argv[1]))`;
  const child: ChildProcess = fork('--eval', [program, root], { cwd: fileURLToPath(new URL('.', module)) });
  const [times] = (await once(child, 'message')) as [PairTimes];
  child.disconnect();
  await once(child, 'exit');
  return times;
}

/** Runs in a process of its own, and tells its parent. */
export async function tellOverhead(root: string): Promise<void> {
  await using ours = await openPair(root, true);
  await using theirs = await openPair(root, false);
  const [callOurs, callTheirs] = [repeat(ours), repeat(theirs)];
  // Both are compiled while they run, which takes some thousand calls.
  await callOurs(5_000);
  await callTheirs(5_000);
  // Turns are so short that whatever else the machine does hits both.
  process.send?.(await timePair(callOurs, callTheirs, { rounds: 1_001, milliseconds: 2 }));
}

function repeat({ call }: Pair): Contestant {
  return async (count) => {
    for (let index = 0; index < count; index += 1) await call();
  };
}
