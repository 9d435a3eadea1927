// Tools with the defects that ours must not have, for the real command: `node --import`. Plain JavaScript.
import { execFileSync } from 'node:child_process';
import { setTimeout as timeout } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { allTools } from '../../../.build/src/tools/all-tools.js';
import { defineTool } from '../../../.build/src/tools/tool/tool.js';

const acts = {
  /** Writes, and then never lets anything else run. */
  spin_in_act: async ({ boundary, relative }) => {
    await boundary.write(relative, 'half');
    for (;;);
  },
  /** Computes for more than half a second of processor time, and ends. */
  compute: async ({ boundary, relative }) => {
    await boundary.write(relative, 'begun');
    const { user, system } = process.cpuUsage();
    for (let used = 0; used < 600_000;) {
      const now = process.cpuUsage({ user, system });
      used = now.user + now.system;
    }
  },
  /** Never lets anything else run, where Node would not survive its end; for a while. */
  spin_in_timer: () =>
    new Promise((resolve) => {
      timeout(() => {
        const end = Date.now() + 2_800;
        while (Date.now() < end);
        resolve();
      }, 1);
    }),
  /** Waits in the kernel. */
  wait_in_kernel: () => execFileSync('sleep', ['2.8']),
  /** Waits, and lets everything else run. */
  wait: () => setTimeout(1_000),
};

const runs = {
  /** Never lets anything else run, and asks for no file. */
  spin: async () => {
    for (;;);
  },
  ...Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [
      name,
      (path, call) => call.access({ operation: 'write', path }, act),
    ]),
  ),
};

for (const [name, run] of Object.entries(runs))
  allTools.push(
    defineTool({
      name,
      title: name,
      description: name,
      operations: ['read'],
      effect: 'change',
      input: z.object({ path: z.string().default('a.txt') }),
      output: z.object({}),
      async run({ path }, call) {
        await run(path, call);
        return { content: [{ type: 'text', text: 'done' }], structuredContent: {} };
      },
    }),
  );
