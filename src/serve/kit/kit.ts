import { bounded } from '../../base/wait.ts';
import { type AttachedServer, attachWith } from '../../server/attach.ts';
import { ownTools } from '../../server/call/own-tools.ts';
import { createWorkspaceKeeper } from '../../server/compose/workspace-keeper.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Trace } from '../../server/settings/trace-event.ts';
import { createStallWatch, type StallWatch } from '../../tools/tool/stall-watch.ts';
import type { Tool } from '../../tools/tool/tool.ts';
import { answerPrompts, answerResources, promptNames, resourceUris } from './answer-resources.ts';
import {
  type AnswerSettings,
  answerToolCalls,
  answerTools,
  createAnswerForms,
  type ListedTools,
  prepareTool,
  type ToolWatch,
} from './answer-tools.ts';
import type { KitServer, ServerFacts } from './kit-server.ts';
import { SessionServer } from './session-server.ts';

/** The parts of a ready server. */
export interface KitOptions {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** The instructions that a client shows its model. */
  readonly instructions: string;
  readonly attach: AttachOptions;
  /** Selects the tools that are listed at present; all by default. */
  readonly offers?: (tool: Tool) => boolean;
  readonly answers?: AnswerSettings;
  /** Closed with the kit. By default one that only records calls. */
  readonly stalls?: StallWatch;
}

export interface ReadyServer extends AttachedServer {
  readonly server: KitServer;
}

/** Options of one connection. */
export interface ConnectionOptions extends Pick<AttachOptions, 'memory' | 'overHttp'> {
  /** Whether the client can be notified when the tools change; true by default. */
  readonly listChanged?: boolean;
  /** Opens state that this server sealed before (2026-07-28). */
  readonly verifyState?: (text: string) => unknown;
  /** Builds the protocol part; by default one for clients that begin with `initialize`. */
  readonly protocol?: (identity: ServerFacts) => KitServer;
}

/** Calls every listener with each step, in order. */
export function createTrace(listeners: readonly Trace[]): Trace {
  return (event, connection) => {
    for (const listener of listeners) listener(event, connection);
  };
}

/** Builds ready servers. Everything that is independent of the connection is made once. */
export interface Kit {
  createServer(options?: ConnectionOptions): ReadyServer;
  /** Waits for the tool calls that are under way, so that they are recorded; two seconds at most. */
  idle(): Promise<void>;
  /** Closes everything that was kept open between requests. */
  close(): void;
}

/**
 * Prepares the ready server: tools, resources and prompt over one boundary.
 *
 * @throws {RootwardError} `INVALID_PATH`, `INVALID_POLICY`, `INVALID_MARKER` or `INVALID_CONFIG`, so that a
 * mistake is reported at the start and not to the first client
 * @example
 * ```ts
 * const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach: { ceiling: [process.cwd()] } });
 * const { rootward } = kit.createServer();
 * (await rootward.workspace()).project.name // → 'rootward'
 * await rootward.close();
 * ```
 */
export function createKit(kitOptions: KitOptions): Kit {
  const { version, tools, instructions, attach: options, offers, answers = {} } = kitOptions;
  const { stalls = createStallWatch() } = kitOptions;
  const info = { name: 'rootward', title: 'Rootward', version };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const prepared = tools.map(prepareTool);
  const preparedBy = new Map(prepared.map((one) => [one.tool.name, one]));
  const offered: ListedTools['offered'] = () => prepared.filter(({ tool }) => offers?.(tool) ?? true);
  // Each HTTP request has its own server; the keeper lets the next one reuse open workspaces.
  const keeper = createWorkspaceKeeper();
  const underWay = new Set<Promise<unknown>>();
  const known: Readonly<Record<string, ReadonlySet<string>>> = {
    'tools/call': new Set([...byName.keys(), ...Object.keys(ownTools)]),
    'prompts/get': new Set(promptNames),
    'resources/read': new Set(resourceUris),
  };
  const settings = readSettings({
    tools: true,
    // Every handler needs the workspace. Asking first avoids a run that ends with a question. A name that nothing
    // here has is refused without asking.
    preflight: (method, name) => name === undefined || (known[method]?.has(name) ?? true),
    argument: true,
    inputs: (tool) => preparedBy.get(tool)?.inputSchema,
    keeper,
    ...options,
    // As users of file servers expect, an absolute link that points into its own root is followed.
    boundary: { absoluteLinks: 'reroot', ...options.boundary },
  });
  return {
    createServer({ memory, overHttp, listChanged = true, verifyState, protocol = speakSessions } = {}) {
      const capabilities = { tools: { listChanged }, resources: {}, prompts: {} };
      const server = protocol({ info, instructions, capabilities, verifyState });
      const told: { watch?: ToolWatch } = {};
      const watching: Trace = (event) => {
        const { kind } = event;
        // An answer outside any call is news as well.
        if (kind === 'composed' || kind === 'answered') void told.watch?.composed();
        // Nothing will be asked, so the first call need not wait for what can be found out while the client starts.
        if (kind === 'initialized' && !event.roots && overHttp !== true) setImmediate(prepare);
      };
      const attached = attachWith(server, settings, {
        trace: createTrace([settings.trace, watching]),
        ...(memory && { memory }),
        ...(overHttp !== undefined && { overHttp }),
      });
      const { rootward } = attached;
      // The first call reports a failure.
      const prepare = (): void => void rootward.workspace().catch(() => undefined);
      const form = createAnswerForms(server, answers);
      told.watch = answerTools(server, { offered, form });
      answerToolCalls(server, rootward, { tools: byName, stalls, underWay, form });
      answerResources(server, rootward);
      answerPrompts(server, rootward);
      return { server, ...attached };
    },
    async idle() {
      await bounded(Promise.allSettled(underWay), { patience: 2_000 });
    },
    close() {
      keeper.close();
      stalls.close();
    },
  };
}

function speakSessions(identity: ServerFacts): KitServer {
  return new SessionServer(identity);
}
