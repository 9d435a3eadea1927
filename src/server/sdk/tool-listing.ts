import { fieldsOf } from './call-context.ts';
import type { AttachableServer } from './protocol-server.ts';

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
