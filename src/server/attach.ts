import { createCore } from './call/core.ts';
import { runCall } from './call/run-call.ts';
import { createRootward } from './create-rootward.ts';
import { interceptRequests } from './sdk/intercept-requests.ts';
import { observeTransport } from './sdk/observe-transport.ts';
import { type AttachableServer, lowServerOf, overrideMethod } from './sdk/protocol-server.ts';
import { offerTools } from './sdk/tool-listing.ts';
import type { AttachOptions } from './settings/attach-options.ts';
import type { Rootward } from './settings/rootward.ts';
import { readSettings, type ServerSettings, type Settings } from './settings/settings.ts';

/**
 * Gives a server its workspace: one line, for any `Server` or `McpServer` of SDK v1 or v2, over any transport and
 * revision, before or after its tools are registered.
 *
 * The client is asked for its roots when a call needs them, and at most once until it says that they changed. In
 * a revision where a server cannot ask (2026-07-28), the call ends with the question and the client sends it
 * again: what a handler does before it awaits `workspace` happens twice there, unless `preflight` covers it.
 *
 * Not guaranteed: a client tells the truth. Roots are what it says; what may be reached is decided here.
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
  return attachWith(server, readSettings(options));
}

/** The same with settings that were read before: a process with a server per request reads them once. */
export function attachWith(server: AttachableServer, settings: Settings, own: ServerSettings = {}): Rootward {
  const low = lowServerOf(server);
  const core = createCore(server, { ...settings, ...own });
  const stopIntercepting = interceptRequests(low, (arrival) => runCall(core, arrival));
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
      // It never was a connection; the one before it may still be there.
      observer.close();
      throw error;
    }
  });
  return createRootward(core, () => {
    stopIntercepting();
    stopObserving();
  });
}
