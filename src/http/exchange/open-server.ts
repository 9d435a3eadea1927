import type { ServerResponse } from 'node:http';
import type { HttpConnection, ServerFactory, ServerLike } from './server-like.ts';

/** Builds a server and connects it. One that cannot be connected is closed. */
export async function openServer(
  createServer: ServerFactory,
  connection: HttpConnection,
  transport: object,
): Promise<ServerLike> {
  const server = await createServer(connection);
  try {
    // Either SDK takes a transport that has what it needs; their types for it differ.
    await server.connect(transport as never);
    return server;
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

/** Closes a server when its answer is sent, or nobody waits for one any more. False if that is so already. */
export function closeAfter(response: ServerResponse, server: ServerLike): boolean {
  if (response.destroyed) {
    void closeServer(server);
    return false;
  }
  response.once('close', () => void closeServer(server));
  return true;
}

/** Closes a server that nobody waits for; that it fails to is of no interest. */
export async function closeServer(server: ServerLike): Promise<void> {
  await server.close().catch(() => {});
}
