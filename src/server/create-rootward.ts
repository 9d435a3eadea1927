import { access, type AccessScope } from '../access.ts';
import type { AuditSink } from '../audit/sink.ts';
import { RootwardError } from '../errors.ts';
import type { AccessRequest } from '../policy/decide.ts';
import type { Asking } from '../policy/settle.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Call } from './call/call.ts';
import type { CallWorkspace } from './settings/call-workspace.ts';
import { checkPath, type PathCheck } from './settings/path-check.ts';
import { chooseProject } from './call/choose-project.ts';
import type { Composition } from './compose/composition.ts';
import type { Connection } from './connection/connection.ts';
import { askThroughClient } from './consent.ts';
import type { Core } from './call/core.ts';
import { isRelative, projectFirst } from './settings/project-first.ts';
import type { Rootward, ViewOptions } from './settings/rootward.ts';
import { glance, viewAtOnce, viewCall, viewNow } from './call/view.ts';

/** The face that an author sees, over the core. */
export function createRootward(core: Core, asking: Asking, detach: () => void): Rootward {
  const close = async (): Promise<void> => {
    detach();
    core.close();
  };
  return {
    workspace(context, options) {
      const call = core.callOf(context);
      const known = call && options === undefined ? viewAtOnce(core.place(call), call) : undefined;
      return known?.ready ?? quietly(workspaceOf(core, call, options));
    },
    roots: (context, options) =>
      quietly(
        withView(core, { call: core.callOf(context), ...(options && { options }) }, ({ open }) =>
          open.roots.map(({ root }) => root),
        ),
      ),
    contains(context, path) {
      const call = core.callOf(context);
      const composition = glance(core.place(call), call);
      return composition && placesOf(composition).locate(path) !== undefined;
    },
    access(context, request, act) {
      const call = core.callOf(context);
      return quietly(
        withView(core, { call }, async (composition) => {
          const scope = scopeOf(core, call, { composition, asking });
          try {
            return await access(scope, namedBy(call, request), act);
          } catch (error) {
            throw explain(error, composition);
          }
        }),
      );
    },
    check(context, request) {
      const call = core.callOf(context);
      return quietly(
        withView(core, { call }, async (composition) => {
          const scope = scopeOf(core, call, { composition, asking });
          return explainCheck(await checkPath(scope, namedBy(call, request)), composition);
        }),
      );
    },
    on: (_event, listener) => core.changes.on(listener),
    audit: core.settings.audit,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A promise that somebody drops must not end the process when it fails. */
function quietly<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** The workspace of a call; a person is asked where several could be meant. */
export async function workspaceOf(
  core: Core,
  call: Call | undefined,
  options: ViewOptions = {},
): Promise<CallWorkspace> {
  return withView(core, { call, options }, async ({ workspace, resolution, error }) => {
    if (workspace !== undefined) return workspace;
    if (call !== undefined && resolution.status === 'ambiguous') {
      const chosen = await chooseProject(call, resolution.candidates);
      if (chosen !== undefined) return switchTo(core, call, chosen.location);
    }
    throw error ?? new RootwardError('PROJECT_NOT_FOUND', { tried: [], remedy: 'Call why' });
  });
}

/** The answer of a person counts until its root is gone. */
async function switchTo(core: Core, call: Call, location: string): Promise<CallWorkspace> {
  await core.place(call).attachment.connection.memory.keepSwitched({ text: location });
  call.lookAgain();
  return workspaceOf(core, call);
}

interface Viewer {
  readonly call: Call | undefined;
  readonly options?: ViewOptions;
}

/** Uses what a call sees, and keeps what it was refused, so that its result can say more than the message. */
async function withView<Value>(
  core: Core,
  { call, options = {} }: Viewer,
  use: (composition: Composition) => Value | Promise<Value>,
): Promise<Value> {
  const { cwd } = options;
  if (call === undefined) {
    const held = await viewNow(core.place(), cwd);
    try {
      return await use(held.composition);
    } finally {
      held.release();
    }
  }
  try {
    const { composition } = await viewCall(core.place(call), call, cwd ?? call.argument);
    return await use(composition);
  } catch (error) {
    if (RootwardError.is(error)) {
      call.refusals.push(error);
      core.settings.trace({ kind: 'refused', code: error.code, message: error.message });
    }
    throw error;
  }
}

/** The entry and the question name the tool. */
function namedBy(call: Call | undefined, request: AccessRequest): AccessRequest {
  const tool = call?.tool;
  return tool === undefined ? request : { tool, ...request };
}

function scopeOf(core: Core, call: Call | undefined, { composition, asking }: Scoped): AccessScope {
  const audit = call === undefined ? core.settings.audit : noting(call, core.settings.audit);
  const client = core.place(call).attachment.connection.client(call?.incoming);
  const ask = askFor(asking, core.place(call).attachment.connection, call);
  return {
    workspace: placesOf(composition),
    policy: composition.policy,
    audit,
    ...(client && { caller: client.name }),
    ...(ask && { ask }),
    ...(asking.patience !== undefined && { patience: asking.patience }),
  };
}

/** The call keeps what it changed, so that its answer can say so, also where the entry cannot be written. */
function noting(call: Call, audit: AuditSink): AuditSink {
  return {
    ready: () => audit.ready?.(),
    record(entry) {
      if (entry.changed !== undefined) call.noteChanged(entry);
      return audit.record(entry);
    },
    close: () => audit.close(),
  };
}

/** Whoever the author names asks, and may leave it to the client. */
function askFor({ ask }: Asking, connection: Connection, call: Call | undefined): Asking['ask'] {
  const askClient = call && askThroughClient(call);
  if (ask === undefined) return askClient;
  const caller = connection.client(call?.incoming)?.name;
  const session = connection.sessionId ?? (connection.overHttp ? undefined : connection);
  return (question) =>
    ask({
      ...question,
      ...(caller && { caller }),
      ...(session !== undefined && { session }),
      ...(askClient && { askClient }),
    });
}

interface Scoped {
  readonly composition: Composition;
  readonly asking: Asking;
}

/** What a call can place: see `projectFirst`. */
function placesOf({ open, workspace }: Composition): Workspace {
  return projectFirst(open, workspace?.project.location);
}

/** Where nothing may be reached, or not from here, the reason helps more than the name of the path. */
function explain(error: unknown, { open, error: reason }: Composition): unknown {
  if (reason === undefined || !RootwardError.is(error, 'OUTSIDE_ROOTS')) return error;
  return open.roots.length === 0 || isRelative(error.data.path) ? reason : error;
}

function explainCheck(check: PathCheck, { open, error }: Composition): PathCheck {
  if (check.allowed || open.roots.length > 0 || error === undefined) return check;
  const { code, message: reason, hint } = error;
  return { ...check, code, reason, hint };
}
