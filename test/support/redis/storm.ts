import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { token } from '../http/open-endpoint.ts';
import { beginSession, call } from '../http/raw.ts';
import type { Target } from './balancer.ts';
import { openLine } from './raw-line.ts';

/** Status and Retry-After of each client. */
export type Storm = readonly (readonly [status: number, seconds: number])[];

const clients = fileURLToPath(new URL('storm-clients.mjs', import.meta.url));

/** 1,500 clients that begin a session at once, in a process of their own. */
export async function runStorm({ port }: Target, program: string = clients): Promise<Storm> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, `${port}`, '1500', token]);
  return JSON.parse(stdout);
}

/** A session that calls again and again. */
export interface Caller extends Disposable {
  /** Milliseconds that each call took, one after the other, as long as something else goes on. */
  during<Result>(
    going: Promise<Result>,
  ): Promise<{ readonly waits: readonly number[]; readonly outcome: Result }>;
}

export async function openCaller(node: Target): Promise<Caller> {
  const headers = await beginSession(node);
  const line = await openLine(node);
  const callOnce = async (id: number): Promise<number> => {
    const begun = performance.now();
    const answer = await line.post(headers, call(id, 'no-such-tool'), '"jsonrpc"');
    if (!answer.includes('HTTP/1.1 200')) throw new Error(`An open session was refused: ${answer}`);
    return performance.now() - begun;
  };
  let id = 0;
  return {
    async during(going) {
      const waits: number[] = [];
      const state = { over: false };
      const ended = going.finally(() => (state.over = true));
      while (!state.over) {
        waits.push(await callOnce((id += 1)));
        await setTimeout(5);
      }
      return { waits, outcome: await ended };
    },
    [Symbol.dispose]: () => line.destroy(),
  };
}

const idle = `require('http')
  .createServer((request, response) => response.end())
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

/** A process that answers every request with nothing. */
export async function startIdleServer(): Promise<Target & AsyncDisposable> {
  const child = spawn(process.execPath, ['-e', idle], { stdio: ['ignore', 'pipe', 'inherit'] });
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
