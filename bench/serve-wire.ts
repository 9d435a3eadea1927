import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** A server in a process of its own, spoken to line by line: no client library takes time. */
export interface ServeWire extends AsyncDisposable {
  /** Calls a tool and gives its text; an answer that is none ends the measurement. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
  /** Introduces a client and lists the tools, as every client does first. */
  begin(): Promise<void>;
  /** Bytes in memory now. */
  memory(): number;
}

export interface ServeProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly id?: number;
  readonly error?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

export function startServer({ argv, cwd, env = {} }: ServeProgram): ServeWire {
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, ...env }, stdio: [...stdio] });
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error('The server did not start');
  const exited = once(child, 'exit');
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  readLines(stdout, (line) => {
    const answer = JSON.parse(line) as Answer;
    const settle = answer.id === undefined ? undefined : waiting.get(answer.id);
    if (answer.id !== undefined) waiting.delete(answer.id);
    settle?.(answer);
  });
  const send = (message: object): void => void stdin.write(`${JSON.stringify(message)}\n`);
  const request = (method: string, params: object): Promise<Answer> => {
    lastId += 1;
    const id = lastId;
    send({ jsonrpc: '2.0', id, method, params });
    return Promise.race([
      new Promise<Answer>((resolve) => waiting.set(id, resolve)),
      exited.then(() => ({ error: 'the server is gone' })),
    ]);
  };
  return {
    async call(tool, input) {
      const answer = await request('tools/call', { name: tool, arguments: input });
      const text = answer.result?.content?.[0]?.text;
      if (text === undefined || answer.result?.isError === true)
        throw new Error(`${tool} failed: ${JSON.stringify(answer).slice(0, 500)}`);
      return text;
    },
    async begin() {
      await request('initialize', introduction);
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await request('tools/list', {});
    },
    memory: () => residentBytes(pid),
    async [Symbol.asyncDispose]() {
      // The peer does not leave when its input ends.
      child.kill('SIGKILL');
      await exited;
    },
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
