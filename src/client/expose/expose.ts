import { connectPeer, type RootsClient, rootsNotSupported } from './client-peer.ts';
import type { ExposedStore, ExposeOptions } from './expose-options.ts';
import { RootsExposer } from './exposer.ts';
import { identifyServer } from './server-identity.ts';
import { type StoreWatch, watchStore } from '../watch/watch-roots.ts';

/**
 * Shows stored roots to the server that a client is, or will be, connected to. Declares the roots capability, so
 * call it before `connect`. Answers `roots/list` in both eras, and notifies the server when the list it may see has
 * really changed. One store serves many clients. Returns a function that ends it: from then on the server is told
 * that roots are not supported.
 *
 * A person's `never` and the server's own list of roots decide first, then `always`. Without either, a server that the
 * host started sees all roots; one on this machine too, unless `ask` is given; a remote one sees none. A root that a
 * person has not decided on within `timeout` is left out, and announced once it is granted.
 *
 * A root that vanishes from the disk is withdrawn, and shown again when it is back.
 *
 * Every root carries its permissions for this server in `_meta`.
 *
 * Not guaranteed: servers other than Rootward may ignore these permissions.
 *
 * @throws {RootwardError} `CANNOT_EXPOSE`
 * @example
 * ```ts
 * const asked = new Map();
 * const client = { // stands for a client of either SDK
 *   registerCapabilities: (capabilities) => asked.set('capabilities', capabilities),
 *   setRequestHandler: (schema, answer) => asked.set('answer', answer),
 * };
 * const path = process.cwd();
 * const root = { uri: toFileUri(path), path, name: 'app', permissions: {}, servers: {}, grants: [] };
 * const store = { snapshot: () => ({ revision: 1, roots: [root], servers: {} }), subscribe: () => () => {} };
 * const detach = expose(client, store, { server: { name: 'files', command: 'npx', args: ['some-server'] } });
 * const { roots } = await asked.get('answer')();
 * roots.map(({ name }) => name) // → ['app']
 * asked.get('capabilities') // → { roots: { listChanged: true } }
 * detach();
 * ```
 */
export function expose(client: RootsClient, store: ExposedStore, options: ExposeOptions): () => void {
  const server = identifyServer(options.server);
  const peer = connectPeer(client, server.name);
  const own = options.availability === undefined ? watchExposed(store) : undefined;
  const availability = options.availability === false ? undefined : (options.availability ?? own);
  const exposer = new RootsExposer(peer, store, { ...options, server, availability });
  peer.answer((signal) => exposer.answer(signal));
  const stops = [store.subscribe(exposer.look), availability?.subscribe(exposer.look)];
  return () => {
    for (const stop of stops) stop?.();
    exposer.close();
    void own?.close();
    peer.answer(() => Promise.reject(rootsNotSupported()));
  };
}

function watchExposed(store: ExposedStore): StoreWatch {
  return watchStore({
    list: () => store.snapshot().roots,
    subscribe: (listener) => store.subscribe(listener),
  });
}
