import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { KitServer, ServerFacts } from './kit-server.ts';

const revisions = [...new Set([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'])];

/** Builds a server of the SDK, which speaks 2026-07-28 too. */
export function createSdkServer(identity: ServerFacts): KitServer {
  const { info, instructions, capabilities, verifyState } = identity;
  return new Server(info as { name: string; version: string }, {
    instructions,
    supportedProtocolVersions: revisions,
    capabilities,
    ...(verifyState && { requestState: { verify: verifyState } }),
  });
}
