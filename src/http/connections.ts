import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { ifThere } from '../boundary/step/if-there.ts';
import { RootwardError } from '../errors.ts';

/** Maximum number of new connections taken in one turn of the event loop. */
const most = 8;

/**
 * Hands new connections to the server a few per turn, once they have sent something, so that a thousand clients
 * connecting at once do not delay the requests already being served. A single connection is served immediately; one
 * that sends nothing for `silence` milliseconds is destroyed.
 *
 * Returns a function that destroys the connections that have sent nothing yet: the server does not know of them.
 */
export function paceConnections(server: Server, silence: number): () => void {
  const serve = server.listeners('connection');
  const silent = new Set<Socket>();
  const ready: Socket[] = [];
  let [taken, going] = [0, false];
  const take = (socket: Socket): void => {
    if (socket.destroyed) return;
    taken += 1;
    socket.setTimeout(0).off('timeout', destroy).off('error', ignore);
    for (const listener of serve) listener.call(server, socket);
  };
  const nextTurn = (): void => {
    taken = 0;
    const next = ready.splice(0, most);
    going = next.length > 0;
    if (going) setImmediate(nextTurn);
    for (const socket of next) take(socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.setTimeout(silence).on('timeout', destroy).on('error', ignore);
    socket.once('close', () => silent.delete(socket));
    socket.once('readable', () => {
      silent.delete(socket);
      if (!going) setImmediate(nextTurn);
      going = true;
      if (taken < most && ready.length === 0) take(socket);
      else ready.push(socket);
    });
  });
  return () => {
    for (const socket of silent) socket.destroy();
  };
}

function destroy(this: Socket): void {
  this.destroy();
}

/** A socket that fails before it is served is dropped silently. */
function ignore(): void {}

/** Milliseconds between calling `cut` and closing the connections, so that the last responses can be sent. */
const lastWord = 250;

/**
 * Stops accepting connections and waits for the open ones. After `grace` milliseconds it calls `cut`, which may send
 * last responses, and shortly afterwards closes every remaining connection.
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
    // A connection becomes idle when its response has been sent; Node has no event for that.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.closeIdleConnections();
  });
}

/**
 * Listens on a Unix socket that only its owner can open. No other user may be able to write to its directory or
 * replace it: they could put their own socket there and receive the token.
 *
 * Replaces a socket that a dead process left behind, but not one with a live listener.
 */
export async function bindSocket(server: Server, path: string): Promise<void> {
  try {
    requireOwnPlace(dirname(path));
    await using directory = await openBoundary(dirname(path));
    if (await isLeftBehind(directory, path)) await directory.remove(basename(path));
    const listening = once(server, 'listening');
    listenAlone(server, path);
    await listening;
  } catch (error) {
    if (RootwardError.is(error, 'CANNOT_LISTEN')) throw error;
    throw cannot(path, reasonOf(error), error);
  }
}

/** The umask holds while the socket file is created, so that it never has wider permissions. */
function listenAlone(server: Server, path: string): void {
  const before = process.umask(0o177);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
}

async function isLeftBehind(directory: Boundary, path: string): Promise<boolean> {
  const info = await ifThere(directory.lstat(basename(path)));
  if (info === undefined) return false;
  if (info.kind !== 'socket') throw cannot(path, 'something is there');
  const caller = connect(path);
  const answered = await once(caller, 'connect').then(
    () => true,
    () => false,
  );
  caller.destroy();
  if (answered) throw cannot(path, 'something else listens there');
  return true;
}

function reasonOf(error: unknown): string {
  if (RootwardError.is(error, 'SHARED_PLACE')) return `${error.message}. ${error.hint}`;
  if (RootwardError.is(error)) return error.message;
  return `the system says ${(error as NodeJS.ErrnoException).code ?? 'nothing'}`;
}

function cannot(path: string, reason: string, cause?: unknown): RootwardError<'CANNOT_LISTEN'> {
  return new RootwardError('CANNOT_LISTEN', { address: `unix:${path}`, reason }, { cause });
}
