import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OwnCommand } from './command.ts';

export interface Conversation {
  /** Every byte. */
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Generous: only a machine that is stuck needs this long. */
const patience = 45_000;

/**
 * Sends requests to a process, waits until all are answered, hangs up, and waits for its end. A text is sent as
 * it is, and no answer to it is awaited.
 */
export async function converse(
  command: OwnCommand,
  requests: readonly (object | string)[],
): Promise<Conversation> {
  const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
  const signal = AbortSignal.timeout(patience);
  const wanted = requests.filter((request) => typeof request !== 'string').length;
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'close', { signal });
  const answered = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (answersIn(stdout) === wanted) resolve();
    });
  });
  try {
    for (const [id, request] of requests.entries()) child.stdin.write(`${lineOf(id, request)}\n`);
    if (wanted > 0) await Promise.race([answered, exit]);
    child.stdin.end();
    const [code] = (await exit) as [number | null];
    return { stdout, stderr, code };
  } finally {
    child.kill('SIGKILL');
  }
}

function lineOf(id: number, request: object | string): string {
  return typeof request === 'string' ? request : JSON.stringify({ jsonrpc: '2.0', id, ...request });
}

/** Whole lines that answer something; what is no message answers nothing. */
function answersIn(stdout: string): number {
  return stdout.split('\n').filter((line) => /"id":\d+\}?/.test(line) && /"(?:result|error)":/.test(line))
    .length;
}

/** What stdout may consist of, and nothing else: lines, each of them one message. */
export function messagesIn(stdout: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.split('\n');
  if (lines.pop() !== '') throw new Error('The last line has no end');
  return lines.map((line) => {
    const message = JSON.parse(line) as Record<string, unknown>;
    if (message['jsonrpc'] !== '2.0') throw new Error(`No message: ${line}`);
    return message;
  });
}

export const initialize: object = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'lines', version: '1.0.0' },
  },
};

export function call(name: string, args: object = {}): object {
  return { method: 'tools/call', params: { name, arguments: args } };
}
