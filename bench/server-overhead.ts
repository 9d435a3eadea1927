import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './suite.ts';
import { tellOverhead } from './tell-overhead.ts';
import type { PairTimes } from './time-pair.ts';

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
  const module = new URL('tell-overhead.js', import.meta.url);
  const program = `import('${module.href}').then((it) => it.${tellOverhead.name}(process.argv[1]))`;
  const child: ChildProcess = fork('--eval', [program, root], { cwd: fileURLToPath(new URL('.', module)) });
  const [times] = (await once(child, 'message')) as [PairTimes];
  child.disconnect();
  await once(child, 'exit');
  return times;
}
