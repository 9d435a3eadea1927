import type { ConnectionView, ProcessView } from '../../wire/wire.ts';
import { shorten } from '../../../base/quote.ts';
import { displayedText } from '../parts/text.tsx';

/** A client of a running server, as which a path can be tried. */
export interface TryOption {
  readonly value: string;
  readonly name: string;
}

export interface AsWhom {
  readonly process: string;
  readonly connection?: string;
}

/**
 * Returns every client of the running servers that announce their rules; a server without clients stands for itself.
 */
export function tryAsOptions(running: readonly ProcessView[]): readonly TryOption[] {
  return running
    .filter(({ rules }) => rules !== undefined)
    .flatMap((process) => {
      const { pid, command, connections } = process;
      const where = `rootward ${command}, process ${pid}`;
      if (connections.length === 0) return [{ value: valueOf(process), name: where }];
      return connections.map((connection) => ({
        value: valueOf(process, connection),
        name: `${nameOf(connection)} at ${where}`,
      }));
    });
}

/** Returns `undefined` if no client is selected, or the selected one is gone. */
export function asWhom(value: string, running: readonly ProcessView[]): AsWhom | undefined {
  for (const process of running) {
    if (value === valueOf(process)) return { process: process.id };
    const connection = process.connections.find((one) => value === valueOf(process, one));
    if (connection !== undefined) return { process: process.id, connection: connection.id };
  }
  return undefined;
}

function valueOf({ id }: ProcessView, connection?: ConnectionView): string {
  return JSON.stringify(connection === undefined ? [id] : [id, connection.id]);
}

function nameOf({ client = 'a client without a name' }: ConnectionView): string {
  return displayedText(shorten(client, 40));
}
