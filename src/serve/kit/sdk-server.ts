import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { KitServer, ServerIdentity } from './session-server.ts';

const revisions = [...new Set([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'])];

/** Builds a server of the SDK, which speaks 2026-07-28 too. */
export function createSdkServer(identity: ServerIdentity): KitServer {
  const { info, instructions, capabilities, verifyState } = identity;
  const server = new Server(info as { name: string; version: string }, {
    instructions,
    supportedProtocolVersions: revisions,
    capabilities,
    ...(verifyState && { requestState: { verify: verifyState } }),
  });
  // The SDK types each method by its schema; at run time a handler gets the same two arguments.
  return server as unknown as KitServer;
}
