import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isFields } from '../base/fields.ts';
import type { Wire, WireMessage } from './wires.ts';

/** The command that starts a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The whole environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a process ended. `stopped`: it kept running after its input closed and was killed. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: boolean;
}

/** A wire to a server process. */
export interface StdioWire extends Wire {
  readonly pid: number | undefined;
  /** Lines on stdout that are not messages. */
  readonly noise: readonly string[];
  readonly stderr: () => string;
  /** Closes its stdin and waits briefly for it to exit. */
  readonly leave: () => Promise<Exit>;
}

/** Milliseconds that a process may take to exit after its stdin closed. */
const moment = 3_000;

/** Starts a server process and exchanges one message per line. */
export function openStdioWire({ command, args = [], cwd, env = process.env }: ServerCommand): StdioWire {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = new Promise<Omit<Exit, 'stopped'>>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const { stdin, stdout, stderr, pid } = child;
  return wireTo({ stdin, stdout, stderr, pid, exited, stop: () => void child.kill('SIGKILL') });
}

/** A running server, as far as a wire uses it. */
export interface RunningServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pid?: number | undefined;
  readonly exited: Promise<Omit<Exit, 'stopped'>>;
  readonly stop: () => void;
}

/** Exchanges one message per line with a server that runs. */
export function wireTo({ stdin, stdout, stderr, pid, exited, stop }: RunningServer): StdioWire {
  const noise: string[] = [];
  let said = '';
  stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A process that exited cannot be written to; its exit is reported anyway.
  stdin.on('error', () => undefined);
  createInterface({ input: stdout }).on('line', (line) => {
    const message = readMessage(line);
    if (message === undefined) noise.push(line);
    else wire.onmessage?.(message);
  });
  void exited.then(() => wire.onclose?.());
  const leave = async (): Promise<Exit> => {
    stdin.end();
    const timer = setTimeout(stop, moment);
    const end = await exited;
    clearTimeout(timer);
    return { ...end, stopped: end.signal === 'SIGKILL' };
  };
  const wire: StdioWire = {
    pid,
    start: async () => undefined,
    async send(message) {
      if (!stdin.write(`${JSON.stringify(message)}\n`)) await Promise.race([once(stdin, 'drain'), exited]);
    },
    close: async () => void (await leave()),
    noise,
    stderr: () => said,
    leave,
  };
  return wire;
}

function readMessage(line: string): WireMessage | undefined {
  try {
    const message = JSON.parse(line) as unknown;
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is WireMessage {
  return isFields(value) && value['jsonrpc'] === '2.0';
}
