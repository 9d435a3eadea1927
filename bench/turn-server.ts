import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paceConnections } from '../src/http/connections.ts';

/** With paced connections, or as Node hands them over. */
export type TurnServer = 'paced' | 'plain';

/** Milliseconds of work for one request, about that of a small file. */
const work = 0.1;

/** Serves in a process of its own, and tells the longest turn between `begin` and `end` in milliseconds. */
export function serveTurns(name: TurnServer): void {
  const server = createServer((_request, response) => {
    const end = performance.now() + work;
    while (performance.now() < end);
    response.end('x');
  });
  if (name === 'paced') paceConnections(server, 10_000);
  let [last, longest] = [0, 0];
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(turn);
  };
  process.on('message', (said) => {
    if (said === 'end') process.send?.(longest);
    else {
      last = performance.now();
      turn();
    }
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
