import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ConnectView } from '../../web/wire/wire.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';

/** A second command of ours that ends with this one. */
export interface CommandBeside {
  readonly ended: Promise<unknown>;
  /** How a client reaches it, once it is listening. */
  connect(): ConnectView | undefined;
  close(): Promise<void>;
}

/** Starts this installation's server over HTTP with the person's roots. Forwards its messages to stderr. */
export function startBeside(
  { cwd, process: { stderr, env = {} } }: CliContext,
  program: string = process.argv[1] ?? '',
): CommandBeside {
  const own = env['ROOTWARD_TOKEN'];
  const token = own || randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, [program, 'serve', '--http', ':0', '--store'], {
    cwd,
    env: { ...env, ROOTWARD_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr.write(text);
    if (output.length < mostRead) output += text;
  });
  if (!own) stderr.write(`rootward: bearer token, shown once: ${token}\n`);
  const ended = once(child, 'exit').catch(() => {});
  return {
    ended,
    connect() {
      const url = /listening on (\S+)/.exec(output)?.[1];
      return url === undefined
        ? undefined
        : { url, tokenIs: own ? inVariable : inTerminal, config: configFor(url) };
    },
    async close() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Bytes of its output that are searched for the address, which it prints first. */
const mostRead = 64 * 1024;

const inVariable = 'in the variable ROOTWARD_TOKEN, with which rootward web was started';
const inTerminal = 'in the terminal where rootward web runs, behind "bearer token"';

/**
 * The entry that most clients expect. The token itself stays in the terminal: an intruder on the page can see and
 * change roots only until the page is closed, but with the token they could come back.
 */
function configFor(url: string): string {
  const rootward = { type: 'http', url, headers: { Authorization: 'Bearer TOKEN' } };
  return JSON.stringify({ mcpServers: { rootward } }, undefined, 2);
}
