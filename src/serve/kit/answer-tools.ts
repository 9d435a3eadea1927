import type { Server } from '@modelcontextprotocol/server';
import { escapeText } from '../../base/quote.ts';
import { isModern, lowServerOf } from '../../server/sdk/protocol-server.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import type { ListedTool } from './list-tool.ts';

export interface Describing {
  /** Operator and client were put together anew: maybe the roots are others than the client was told. */
  readonly composed: () => Promise<void>;
}

/**
 * Lists the tools. What they say about themselves names the roots, as far as they are known: a client that
 * lists tools is not asked for anything. When that became untrue, a 2025 client is told to list them again.
 * A client that will be asked and was not yet reads no roots: they could be others.
 */
export function answerTools(
  server: Server,
  rootward: Rootward,
  offered: () => readonly ListedTool[],
): Describing {
  let told: string | undefined;
  const place = async (): Promise<string> => {
    // A 2026 client may keep a list for as long as it likes; it is told of a change only if it subscribed.
    if (isModern(lowServerOf(server))) return '';
    const roots = await rootward.roots().catch(() => []);
    if (rootward.contains(undefined, '/') === undefined) return '';
    return roots.length === 0 ? '' : ` Roots: ${roots.map(({ name }) => escapeText(name)).join(', ')}.`;
  };
  server.setRequestHandler('tools/list', async () => {
    const roots = await place();
    const tools = offered();
    told = describe(roots, tools);
    return { tools: tools.map((tool) => withPlace(tool, roots)) };
  });
  return {
    async composed() {
      if (told === undefined) return;
      const now = describe(await place(), offered());
      if (now === told) return;
      told = now;
      await server.sendToolListChanged().catch(() => undefined);
    },
  };
}

/** What a tool says about itself, and where it is. */
function withPlace(tool: ListedTool, roots: string): ListedTool {
  return { ...tool, description: `${tool.description}${roots}` };
}

/** Everything in a list that can change, as text. */
function describe(roots: string, tools: readonly ListedTool[]): string {
  return [roots, ...tools.map(({ name }) => name)].join('\n');
}
