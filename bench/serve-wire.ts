import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** A server in a process of its own, spoken to line by line: no client library takes time. */
export interface ServeWire extends AsyncDisposable {
  /** Calls a tool and returns the line that it answers. A failure ends the measurement. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
  /** The same for a call that has to be refused. */
  refuse(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
  /** Introduces a client and lists the tools, as every client does first. */
  begin(): Promise<void>;
  /** Bytes in memory now. */
  memory(): number;
  /** Nanoseconds of processor time so far, in steps of 10 ms. */
  processorTime(): number;
}

export interface ServeProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server. Its answers are looked at as little as can be: what a client does with them is not measured. */
export function startServer({ argv, cwd, env = {} }: ServeProgram): ServeWire {
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, ...env }, stdio: [...stdio] });
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error('The server did not start');
  const exited = once(child, 'exit');
  const waiting = new Map<number, (line: string) => void>();
  child.once('exit', () => {
    for (const settle of waiting.values()) settle('The server is gone');
  });
  readLines(stdout, (line) => {
    const [, id] = /"id":(\d+)\}?$/.exec(line.slice(-20)) ?? [];
    waiting.get(Number(id))?.(line);
    waiting.delete(Number(id));
  });
  const send = sender(stdin);
  let lastId = 0;
  const request = (method: string, params: object): Promise<string> => {
    lastId += 1;
    const id = lastId;
    send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  return {
    async call(tool, input) {
      const line = await request('tools/call', { name: tool, arguments: input });
      if (!line.startsWith('{"result":{"content":[') || line.includes('"isError":true'))
        throw new Error(`${tool} failed: ${line.slice(0, 500)}`);
      return line;
    },
    async refuse(tool, input) {
      const line = await request('tools/call', { name: tool, arguments: input });
      if (!line.includes('"isError":true')) throw new Error(`${tool} was not refused: ${line.slice(0, 500)}`);
      return line;
    },
    async begin() {
      await request('initialize', introduction);
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await request('tools/list', {});
    },
    memory: () => residentBytes(pid),
    processorTime: () => processorTimeOf(pid),
    async [Symbol.asyncDispose]() {
      // The peer does not leave when its input ends.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The text that a model would read. */
export function textIn(line: string): string {
  const { result } = JSON.parse(line) as { result: { content: readonly { readonly text: string }[] } };
  return result.content[0]?.text ?? '';
}

/** What is asked in the same moment leaves together. */
function sender(stdin: Writable): (message: object) => void {
  return (message) => {
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(`${JSON.stringify(message)}\n`);
  };
}

const introduction = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    for (const [index, part] of lines.entries()) {
      rest.push(part);
      if (index === lines.length - 1) return;
      take(rest.join(''));
      rest = [];
    }
  });
}

/** Linux only, as the whole suite. */
function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/** Nanoseconds of processor time of a process so far. Linux only, as the whole suite. */
export function processorTimeOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 1e7;
}
