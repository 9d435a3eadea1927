import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';

/** New connections in one turn of the event loop. */
const most = 8;

/**
 * Serves new connections a few at a time once they have said something, and looks after the others in between: a
 * thousand clients that come at once must not stand before one that is being served. Who comes alone does not
 * wait; who says nothing for `silence` milliseconds is not heard. Returns how to dismiss all that said nothing yet:
 * the server does not know them.
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

/** One that breaks while it waits is not served; nobody has to be told. */
function ignore(): void {}

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

/**
 * Listens on a socket in the file system that its owner alone can open. Nobody else may be able to write to its
 * directory, or to replace it: they could put another socket there, and would be told the token.
 *
 * A socket that a process left behind is replaced; one on which somebody listens is not.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`
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

/** The file appears while this runs, and with these permissions from the first moment on. */
function listenAlone(server: Server, path: string): void {
  const before = process.umask(0o177);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
}

async function isLeftBehind(directory: Boundary, path: string): Promise<boolean> {
  try {
    if ((await directory.lstat(basename(path))).kind !== 'socket') throw cannot(path, 'something is there');
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return false;
    throw error;
  }
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
