import { fieldsOf } from '../../base/fields.ts';
import { type AttachableServer, type LowServer, methodSchema } from './protocol-server.ts';

/** Knows which tools of a server have an output schema. */
export interface OutputSchemas {
  has(tool: unknown): boolean;
  /** Observes a list that is sent to a client. */
  note(listed: unknown): void;
}

/**
 * Reads the registered tools of an `McpServer`, which both SDKs keep under this name. For any other server the
 * sent list tells, which a client reads before it validates anything.
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
 * Makes a server answer `tools/list` and `tools/call`, so that our tools can be listed. Handlers that are
 * registered later replace these.
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
    // SDK v2 identifies methods by name, v1 by schema.
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
