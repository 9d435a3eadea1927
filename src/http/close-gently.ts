import type { Server } from 'node:http';

/** Takes no connection any more, waits for what is under way, and cuts what is left after `grace` milliseconds. */
export function closeGently(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
    // A connection becomes idle when its answer is sent; nothing says when that is.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.closeIdleConnections();
  });
}
