import type { DifficultClient } from './difficult-client.ts';
import { type AskReport, type CallReport, playClient, type PlayOptions } from './play-client.ts';
import { type Exit, openStdioWire, type ServerCommand } from './stdio-wire.ts';
import type { WireMessage } from './wires.ts';

export interface Probe extends PlayOptions {
  /** One of `difficultClients`, or your own. */
  readonly client: DifficultClient;
  /** Tool calls to make, in order. */
  readonly calls: readonly { readonly tool: string; readonly arguments?: WireMessage }[];
}

/** How a server behaved towards a client. */
export interface ProbeReport {
  /** Whether it answered the introduction. */
  readonly greeted: boolean;
  /** Each question it asked, with its time. */
  readonly asks: readonly AskReport[];
  readonly calls: readonly CallReport[];
  /** Lines on stdout that are not messages. Each of them breaks real clients. */
  readonly noise: readonly string[];
  readonly stderr: string;
  /** How the process ended after its input closed. */
  readonly exit: Exit;
}

/**
 * Starts a server process and plays a difficult client against it over stdio. The report lists the server's
 * questions, the time and outcome of each call, and everything on stdout that was not a message. The process has
 * ended when the report is returned.
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
