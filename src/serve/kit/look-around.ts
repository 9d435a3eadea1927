import { Server } from '@modelcontextprotocol/server';
import { RootwardError } from '../../errors.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import { attach } from '../../server/attach.ts';

/**
 * The name of the project that a client without any signals would see, for texts written before the client is
 * known. Leaves nothing open and records nothing.
 */
export async function lookAround(options: AttachOptions): Promise<string | undefined> {
  const server = new Server({ name: 'rootward', version: '0.0.0' }, { capabilities: {} });
  await using rootward = attach(server, { ...options, eager: false, trace: () => undefined });
  try {
    return (await rootward.workspace()).project.name;
  } catch (error) {
    // The first call reports the problem and its remedy.
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
