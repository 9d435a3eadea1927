import { methodSchema } from './pass-schema.ts';
import type { LowServer } from './protocol-server.ts';

/**
 * Makes sure that a server answers about tools at all, so that ours have a list to stand in. Whoever registers
 * tools afterwards finds the place free.
 */
export function offerTools(server: LowServer): void {
  const provisional = new Set<string>();
  const check = server.assertCanSetRequestHandler?.bind(server);
  if (check === undefined) return;
  const offer = (method: string, answer: (request: { params?: { name?: unknown } }) => unknown): void => {
    try {
      check(method);
    } catch {
      return;
    }
    // SDK v2 knows methods by name, v1 by schema.
    const key = server.getNegotiatedProtocolVersion === undefined ? methodSchema(method) : method;
    if (provisional.size === 0) server.registerCapabilities({ tools: {} });
    server.setRequestHandler(key, answer);
    provisional.add(method);
  };
  offer('tools/list', () => ({ tools: [] }));
  offer('tools/call', ({ params }) => {
    throw Object.assign(new Error(`Tool ${String(params?.name)} not found`), { code: -32602 });
  });
  server.assertCanSetRequestHandler = (method) => {
    if (!provisional.delete(method)) check(method);
  };
}
