import { type AttachedCore, createCore } from './call/core.ts';
import { createCallRunner } from './call/run-call.ts';
import { createRootward } from './create-rootward.ts';
import { interceptRequests, observeStarted, observeTransport } from './sdk/intercept-server.ts';
import { type AttachableServer, type LowServer, lowServerOf, overrideMethod } from './sdk/protocol-server.ts';
import { offerTools } from './sdk/tool-listing.ts';
import type { AttachOptions } from './settings/attach-options.ts';
import type { Rootward } from './settings/rootward.ts';
import { readSettings, type ServerSettings, type Settings } from './settings/settings.ts';

/**
 * Gives a server its workspace in one line. It works with any `Server` or `McpServer` of SDK v1 or v2, over any
 * transport and revision, before or after its tools are registered. The client is asked for its roots when a call
 * needs them, and not again until it announces a change. In a revision where a server cannot send requests
 * (2026-07-28), the call ends with the question and the client repeats it: code that a handler runs before it
 * awaits `workspace` then runs twice, unless `preflight` covers the tool.
 *
 * Not guaranteed: that a client tells the truth. Its roots are its own claim; the operator's settings decide what
 * can be reached.
 *
 * @throws {RootwardError} `INVALID_PATH`, `INVALID_POLICY` or `INVALID_MARKER`, if the options cannot be used
 * @example
 * ```ts
 * import { McpServer } from '@modelcontextprotocol/server';
 *
 * const server = new McpServer({ name: 'demo', version: '1.0.0' });
 * const rootward = attach(server, { ceiling: [process.cwd()] });
 * server.registerTool('where', {}, async (ctx) => {
 *   const { project } = await rootward.workspace(ctx);
 *   return { content: [{ type: 'text', text: project.name }] };
 * });
 * (await rootward.workspace()).project.name; // → 'rootward'
 * await rootward.close();
 * ```
 */
export function attach(server: AttachableServer, options: AttachOptions = {}): Rootward {
  return attachWith(server, readSettings(options)).rootward;
}

export interface AttachedServer {
  readonly rootward: Rootward;
  /** Whether no call of this server is running. */
  isIdle(): boolean;
}

/** The same with settings that were read before, for a process with many servers. */
export function attachWith(
  server: AttachableServer,
  settings: Settings,
  own: ServerSettings = {},
): AttachedServer {
  const low = lowServerOf(server);
  const core = createCore(server, { ...settings, ...own });
  const stopIntercepting = interceptRequests(low, createCallRunner(core));
  let offered = false;
  const stopObserving = overrideMethod(low, 'connect', (connect) => async (transport) => {
    if (core.closed) {
      await connect(transport);
      return;
    }
    const observer = core.attachments.open(transport);
    try {
      observeTransport(transport, observer);
      if (core.settings.tools.length > 0 && !offered) offerTools(low);
      offered = true;
      await connect(transport);
    } catch (error) {
      // Connecting failed, so this never became a connection; an earlier one may still be open.
      observer.close();
      throw error;
    }
  });
  observeConnected(core, low);
  const rootward = createRootward(core, () => {
    stopIntercepting();
    stopObserving();
  });
  return { rootward, isIdle: () => core.calls.size === 0 };
}

/** Takes over a connection that was open before: its client is asked, if it has initialized already. */
function observeConnected(core: AttachedCore, server: LowServer): void {
  const { transport } = server;
  if (transport === undefined) return;
  const observer = core.attachments.open(transport);
  observeStarted(transport, observer);
  if (server.getClientVersion() !== undefined) observer.message({ method: 'notifications/initialized' });
}
