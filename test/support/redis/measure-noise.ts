import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Target } from './balancer.ts';

/** What this machine adds to the time of every request, moment by moment. */
export interface Noise extends AsyncDisposable {
  /** Milliseconds that the slowest request took which overlaps that time. */
  during(begun: number, ended: number): number;
}

/** Asks a process that has nothing to do for nothing, again and again. */
export async function measureNoise(): Promise<Noise> {
  const server = await startIdleServer();
  const samples: { readonly begun: number; ended: number }[] = [];
  const state = { over: false };
  const measure = async (): Promise<void> => {
    while (!state.over) {
      const sample = { begun: performance.now(), ended: Infinity };
      samples.push(sample);
      await ask(server);
      sample.ended = performance.now();
      await setTimeout(5);
    }
  };
  const measured = measure();
  return {
    during(from, to) {
      const now = performance.now();
      const overlapping = samples.filter(({ begun, ended }) => begun < to && ended > from);
      return Math.max(0, ...overlapping.map(({ begun, ended }) => Math.min(ended, now) - begun));
    },
    async [Symbol.asyncDispose]() {
      state.over = true;
      await measured;
      await server[Symbol.asyncDispose]();
    },
  };
}

const program = `require('http')
  .createServer((request, response) => response.end())
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

/** A process that answers every request with nothing. */
async function startIdleServer(): Promise<Target & AsyncDisposable> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const port = Number(String(await once(child.stdout, 'data')));
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function ask({ port }: Target): Promise<void> {
  const outgoing = request({ host: '127.0.0.1', port, path: '/' }).end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
}
