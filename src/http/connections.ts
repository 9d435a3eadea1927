import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
