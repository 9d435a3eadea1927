import { Server } from '@modelcontextprotocol/server';
import { RootwardError } from '../../errors.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import { attach } from '../../server/attach.ts';

/**
 * The name of the project that a call would see if it came from a client that says nothing: for what a server says
 * of itself before it knows its client. Nothing stays open, and nothing is written down.
 */
export async function lookAround(options: AttachOptions): Promise<string | undefined> {
  const server = new Server({ name: 'rootward', version: '0.0.0' }, { capabilities: {} });
  await using rootward = attach(server, { ...options, eager: false, trace: () => undefined });
  try {
    return (await rootward.workspace()).project.name;
  } catch (error) {
    // Whoever calls hears what is wrong, and the remedy.
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
