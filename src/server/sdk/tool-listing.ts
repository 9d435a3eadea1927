import { fieldsOf } from '../../base/fields.ts';
import { type AttachableServer, type LowServer, methodSchema } from './protocol-server.ts';

/** Which tools of a server have an output schema, as far as can be told from outside. */
export interface OutputSchemas {
  has(tool: unknown): boolean;
  /** Reads along what a client is told. */
  note(listed: unknown): void;
}

/**
 * An `McpServer` keeps what was registered under this name, in both SDKs; whatever else lists tools shows it in
 * the list, which a client reads before it compares anything.
 */
export function createOutputSchemas(server: AttachableServer): OutputSchemas {
  const seen = new Set<unknown>();
  return {
    has: (tool) =>
      seen.has(tool) ||
      (typeof tool === 'string' &&
        fieldsOf(fieldsOf(fieldsOf(server)['_registeredTools'])[tool])['outputSchema'] !== undefined),
    note(listed) {
      const { tools } = fieldsOf(listed);
      if (!Array.isArray(tools)) return;
      for (const tool of tools)
        if (fieldsOf(tool)['outputSchema'] !== undefined) seen.add(fieldsOf(tool)['name']);
    },
  };
}

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
