import type { Worker } from 'node:cluster';

/**
 * Closes connections that were on their way to a process when it died. The cluster of Node hands each one over
 * and waits for a word; from a dead process none comes, and the client would wait for ever. What the process
 * had read of it is not known, so nobody else gets it.
 */
export function closeOrphans(worker: Worker): void {
  const { process: child } = worker;
  const handed = new Map<number, Closable>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  const watched = (message: Numbered, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isClosable(handle) && typeof message.seq === 'number') handed.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(child, { send: watched });
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  worker.once('exit', () => {
    for (const handle of handed.values()) handle.close();
  });
}

interface Numbered {
  readonly seq?: unknown;
}

interface Closable {
  close(): void;
}

function isClosable(handle: unknown): handle is Closable {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}
