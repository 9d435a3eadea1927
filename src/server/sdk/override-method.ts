import type { LowServer } from './protocol-server.ts';

/**
 * Puts a method in the place of another one of the same server; `make` gets the one that was there. Returns what
 * puts it back, unless somebody else came after: theirs is built on ours.
 */
export function overrideMethod<Name extends 'connect' | 'setRequestHandler'>(
  server: LowServer,
  name: Name,
  make: (before: LowServer[Name]) => LowServer[Name],
): () => void {
  const own = Object.getOwnPropertyDescriptor(server, name);
  const method = make(server[name].bind(server) as LowServer[Name]);
  server[name] = method;
  return () => {
    if (server[name] !== method) return;
    if (own === undefined) Reflect.deleteProperty(server, name);
    else Object.defineProperty(server, name, own);
  };
}
