import type { Server } from 'node:http';

/** How long a last word may take to get out, in milliseconds. */
const lastWord = 250;

/**
 * Takes no connection any more, waits for what is under way, and cuts what is left after `grace` milliseconds:
 * `cut` may say so a moment before.
 */
export function closeGently(server: Server, grace: number, cut: () => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(cut, grace);
    const end = setTimeout(() => server.closeAllConnections(), grace + lastWord);
    server.close(() => {
      clearTimeout(timer);
      clearTimeout(end);
      clearInterval(idle);
      resolve();
    });
    // A connection becomes idle when its answer is sent; nothing says when that is.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.closeIdleConnections();
  });
}
