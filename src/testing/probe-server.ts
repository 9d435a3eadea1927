import type { DifficultClient } from './difficult-client.ts';
import { type AskReport, type CallReport, playClient, type PlayOptions } from './play-client.ts';
import { type Exit, openStdioWire, type ServerCommand } from './stdio-wire.ts';
import type { WireMessage } from './wires.ts';

export interface Probe extends PlayOptions {
  /** One of `difficultClients`, or one of your own. */
  readonly client: DifficultClient;
  /** Tools to call, one after the other. */
  readonly calls: readonly { readonly tool: string; readonly arguments?: WireMessage }[];
}

/** What a server did with a client. */
export interface ProbeReport {
  /** Whether it answered the introduction. */
  readonly greeted: boolean;
  /** Each question that it put, and when. */
  readonly asks: readonly AskReport[];
  readonly calls: readonly CallReport[];
  /** Lines on its output that are no message: each of them breaks a client. */
  readonly noise: readonly string[];
  readonly stderr: string;
  /** How it left when its input ended. */
  readonly exit: Exit;
}

/**
 * Starts a server and lets a difficult client loose on it, over stdio. The report says what the server asked,
 * how long each call took and what came of it, and whether anything but messages went to its output. The process
 * has ended when the report is there.
 *
 * @example
 * ```ts
 * import { difficultClients, probeServer } from 'rootward/testing';
 *
 * const report = await probeServer(
 *   { command: process.execPath, args: ['-e', 'console.log("Server is up")'] },
 *   { client: difficultClients.silent, calls: [{ tool: 'where' }] },
 * );
 * report.noise; // → ['Server is up']
 * report.greeted; // → false
 * report.calls.map(({ outcome }) => outcome); // → ['closed']
 * report.exit; // → { code: 0, signal: null, stopped: false }
 * ```
 */
export async function probeServer(server: ServerCommand, probe: Probe): Promise<ProbeReport> {
  const { client, calls, ...options } = probe;
  const wire = openStdioWire(server);
  try {
    const player = await playClient(client, wire, options);
    const reports: CallReport[] = [];
    for (const { tool, arguments: args } of calls) reports.push(await player.call(tool, args));
    const exit = await wire.leave();
    return {
      greeted: player.greeting.kind === 'result',
      asks: player.asks,
      calls: reports,
      noise: wire.noise,
      stderr: wire.stderr(),
      exit,
    };
  } finally {
    await wire.leave();
  }
}
