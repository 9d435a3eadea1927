import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { attachWith } from '../../server/attach.ts';
import { createWorkspaceKeeper } from '../../server/compose/composition-cache.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Trace } from '../../server/settings/trace-event.ts';
import { createStallWatch, type StallWatch } from '../../tools/tool/stall-watch.ts';
import type { Tool } from '../../tools/tool/tool.ts';
import { answerPrompts, answerResources } from './answer-resources.ts';
import {
  answerToolCalls,
  answerTools,
  type ToolDescriptions,
  type ToolListing,
  listTool,
} from './answer-tools.ts';

/** What a ready server is made of. */
export interface KitOptions {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** What a client tells its model about the server as a whole. */
  readonly instructions: string;
  readonly attach: AttachOptions;
  /** Which of the tools are listed at the moment; all of them by default. */
  readonly offers?: (tool: Tool) => boolean;
  /** Closed with the kit; one that only names calls by default. */
  readonly stalls?: StallWatch;
}

export interface ReadyServer {
  readonly server: Server;
  readonly rootward: Rootward;
}

/** What belongs to one connection. */
export interface ConnectionOptions extends Pick<AttachOptions, 'memory' | 'overHttp'> {
  /** Whether the client can be told that the tools changed; yes by default. */
  readonly listChanged?: boolean;
  /** Opens what this server sealed before (2026-07-28). */
  readonly verifyState?: (text: string) => unknown;
}

/** Tells every listener of each step, in their order. */
export function createTrace(listeners: readonly Trace[]): Trace {
  return (event, connection) => {
    for (const listener of listeners) listener(event, connection);
  };
}

/** Builds ready servers. Everything that does not depend on the connection is made once. */
export interface Kit {
  createServer(options?: ConnectionOptions): ReadyServer;
  /** Lets go what was kept open between requests. */
  close(): void;
}

const revisions = [...new Set([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'])];

/**
 * Prepares the server that people install: its tools, its resources and its prompt, over one boundary.
 *
 * @throws {RootwardError} `INVALID_PATH`, `INVALID_POLICY`, `INVALID_MARKER` or `INVALID_CONFIG`: a mistake is told
 * to the operator who starts the server, and not to its first client
 * @example
 * ```ts
 * const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach: { ceiling: [process.cwd()] } });
 * const { rootward } = kit.createServer();
 * (await rootward.workspace()).project.name // → 'rootward'
 * await rootward.close();
 * ```
 */
export function createKit(kitOptions: KitOptions): Kit {
  const { version, tools, instructions, attach: options, offers, stalls = createStallWatch() } = kitOptions;
  const info = { name: 'rootward', title: 'Rootward', version };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map((tool) => ({ tool, entry: listTool(tool) }));
  const offered = (): readonly ToolListing[] =>
    listed.filter(({ tool }) => offers?.(tool) ?? true).map(({ entry }) => entry);
  // Requests over HTTP have a server each; what it opened serves the next one.
  const keeper = createWorkspaceKeeper();
  const settings = readSettings({
    tools: true,
    // All of it needs the workspace: asking first spares a run that ends in a question.
    preflight: true,
    keeper,
    ...options,
    // As users of a file server expect: a link that names a place in its root by an absolute path leads there.
    boundary: { absoluteLinks: 'reroot', ...options.boundary },
  });
  return {
    createServer({ memory, overHttp, listChanged = true, verifyState } = {}) {
      const server = new Server(info, {
        instructions,
        supportedProtocolVersions: revisions,
        capabilities: { tools: { listChanged }, resources: {}, prompts: {} },
        ...(verifyState && { requestState: { verify: verifyState } }),
      });
      const told: { describing?: ToolDescriptions } = {};
      const describing: Trace = ({ kind }) => {
        // An answer that nobody's call waited for is news, too.
        if (kind === 'composed' || kind === 'answered') void told.describing?.composed();
      };
      const rootward = attachWith(server, settings, {
        trace: createTrace([settings.trace, describing]),
        ...(memory && { memory }),
        ...(overHttp !== undefined && { overHttp }),
      });
      told.describing = answerTools(server, rootward, offered);
      answerToolCalls(server, rootward, { tools: byName, stalls });
      answerResources(server, rootward);
      answerPrompts(server, rootward);
      return { server, rootward };
    },
    close() {
      keeper.close();
      stalls.close();
    },
  };
}
