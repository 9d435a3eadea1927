import { createHash } from 'node:crypto';
import { basename, sep } from 'node:path';
import { access, type AccessScope } from '../access.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { AuditSink } from '../audit/sink.ts';
import { RootwardError } from '../errors.ts';
import { isRelative } from '../path/file-uri.ts';
import type { AccessRequest } from '../policy/decide.ts';
import { type AskConsent, type Asking, type ConsentQuestion, describeQuestion } from '../policy/settle.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { Call } from './call/call.ts';
import { compositionToAct, workspaceOf } from './call/call-workspace.ts';
import type { AttachedCore } from './call/core.ts';
import { canElicit, elicit } from './call/elicit.ts';
import {
  callScope,
  compositionAt,
  compositionAtHand,
  compositionKnown,
  withComposition,
} from './call/composition-for.ts';
import type { Composition } from './compose/composition.ts';
import { type Connection, originOf } from './connection/connection.ts';
import { findMissingRoot } from './compose/missing-root.ts';
import { checkAccess, type PathCheck } from './settings/path-check.ts';
import type { Rootward } from './settings/rootward.ts';

/** Creates the object that an author works with. */
export function createRootward(core: AttachedCore, detach: () => void): Rootward {
  const close = async (): Promise<void> => {
    detach();
    core.close();
  };
  return {
    workspace(context, options) {
      const call = core.calls.find(context);
      const known =
        call && options === undefined ? compositionAtHand(callScope(core, call), call) : undefined;
      return known?.ready ?? quietly(workspaceOf(core, call, options));
    },
    roots: (context, options) =>
      quietly(
        withComposition(core, { call: core.calls.find(context), ...(options && { options }) }, ({ open }) =>
          open.roots.map(({ root }) => root),
        ),
      ),
    contains(context, path) {
      const call = core.calls.find(context);
      const composition = compositionKnown(callScope(core, call), call);
      return composition && placesOf(composition).locate(path) !== undefined;
    },
    access(context, request, act) {
      const call = core.calls.find(context);
      return quietly(
        withComposition(core, { call }, async (last) => {
          const found = await currentFor(core, call, last, request);
          const isGuess = found.guess !== undefined && isRelative(request.path);
          const composition = isGuess ? await compositionToAct(core, call, found) : found;
          const scope = scopeOf(core, call, composition);
          try {
            return await access(scope, await findFileRoot(composition, namedBy(call, request)), act);
          } catch (error) {
            throw explain(error, composition);
          }
        }),
      );
    },
    check(context, request) {
      const call = core.calls.find(context);
      return quietly(
        withComposition(core, { call }, async (last) => {
          const composition = await currentFor(core, call, last, request);
          const { audit, ...scope } = scopeOf(core, call, composition);
          // Outside calls the program itself acts, on behalf of no client.
          const looking = call === undefined ? scope : { ...scope, audit };
          const wish = await findFileRoot(composition, namedBy(call, request));
          return explainCheck(await checkAccess(looking, wish), composition);
        }),
      );
    },
    on: (_event, listener) => core.changes.on(listener),
    audit: core.settings.audit,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function currentFor(
  core: AttachedCore,
  call: Call | undefined,
  found: Composition,
  { path }: AccessRequest,
): Composition | Promise<Composition> {
  return compositionAt(core, call, { found, locate: () => placesOf(found).locate(path) });
}

/** Prevents an unhandled rejection if the caller drops the promise. */
function quietly<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** Adds the name of the tool, for the audit entry and the question. */
function namedBy(call: Call | undefined, request: AccessRequest): AccessRequest {
  const tool = call?.tool;
  return tool === undefined ? request : { tool, ...request };
}

function scopeOf(core: AttachedCore, call: Call | undefined, composition: Composition): AccessScope {
  const { asking, audit } = core.settings;
  const { connection } = callScope(core, call).attachment;
  return {
    workspace: placesOf(composition),
    policy: composition.policy,
    audit: call === undefined ? audit : noting(call, audit, composition),
    // A getter, because most requests ask no person.
    get ask() {
      return askFor(asking, connection, call);
    },
    ...originOf(connection, call?.incoming),
    signal: call?.incoming.signal,
    ...(asking.patience !== undefined && { patience: asking.patience }),
  };
}

/**
 * Notes entries with the call, so that its answer can report changes even if the audit entry cannot be written. An entry
 * has the code and the reason that the client is told.
 */
function noting(call: Call, audit: AuditSink, composition: Composition): AuditSink {
  return {
    ready: () => audit.ready?.(),
    record(entry) {
      call.noteEntry(entry);
      return audit.record(entry.code === 'OUTSIDE_ROOTS' ? asTold(entry, composition) : entry);
    },
    close: () => audit.close(),
  };
}

function asTold(entry: AuditEntry, composition: Composition): AuditEntry {
  const roots = composition.open.roots.map(({ root }) => root.name);
  const told = explain(new RootwardError('OUTSIDE_ROOTS', { path: entry.path, roots }), composition);
  if (!RootwardError.is(told) || told.code === entry.code) return entry;
  return { ...entry, code: told.code, reason: told.message };
}

/** Uses the author's question first; it may delegate to the client. */
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

function placesOf({ open, workspace }: Composition): Workspace {
  return projectFirst(open, workspace?.project.location);
}

/**
 * Makes relative paths start at the project, whatever other roots there are. Without a project they start nowhere.
 */
export function projectFirst(workspace: Workspace, project: string | undefined): Workspace {
  return {
    ...workspace,
    locate(path) {
      if (!isRelative(path)) return workspace.locate(path);
      return project === undefined ? undefined : workspace.locate(`${project}${sep}${path}`);
    },
  };
}

/** A relative path that leads to nothing in the project may be the name of a root that is a file. */
async function findFileRoot(
  { open, workspace }: Composition,
  request: AccessRequest,
): Promise<AccessRequest> {
  const name = request.path.replace(/^\.[\\/]/, '');
  const file = open.files.find(({ root }) => root.name === name || basename(root.path) === name);
  if (file === undefined) return request;
  const here = projectFirst(open, workspace?.project.location).locate(request.path);
  return here !== undefined && (await isThere(here)) ? request : { ...request, path: file.root.path };
}

/** A place that cannot be looked at counts as one that is there, so that its refusal is told. */
async function isThere({ boundary, relative }: Location): Promise<boolean> {
  try {
    return (await boundary.probe('list', relative, { missing: true })).kind !== undefined;
  } catch {
    return true;
  }
}

/** Replaces an `OUTSIDE_ROOTS` by the reason that nothing, nothing from here, or no longer this can be reached. */
function explain(error: unknown, { open, workspace, resolution, error: reason }: Composition): unknown {
  if (!RootwardError.is(error, 'OUTSIDE_ROOTS')) return error;
  const { path, roots } = error.data;
  if (reason !== undefined && (open.roots.length === 0 || isRelative(path))) return reason;
  if (isRelative(path))
    return workspace?.project.location === undefined
      ? new RootwardError('NO_PROJECT', { path, roots }, { cause: error })
      : error;
  const root = findMissingRoot([...resolution.issues, ...open.issues], path);
  return root === undefined ? error : new RootwardError('ROOT_MISSING', { root, path }, { cause: error });
}

function explainCheck(check: PathCheck, { open, error }: Composition): PathCheck {
  if (check.allowed || open.roots.length > 0 || error === undefined) return check;
  const { code, message: reason, hint } = error;
  return { ...check, code, reason, hint };
}

/** Asks the person through the client, if the client supports it. */
function askThroughClient(call: Call): AskConsent | undefined {
  if (!canElicit(call)) return undefined;
  return async (question) => {
    const content = await elicit(call, {
      key: `rootward_consent_${keyOf(question)}`,
      message: describeQuestion(question),
      properties: { allow: { type: 'boolean', title: 'Allow' } },
      required: ['allow'],
      signal: question.signal,
    });
    return content?.['allow'] === true;
  };
}

/** The key covers the exact request: the same command, and for a link the same target. */
function keyOf({ request, root, place = root, at }: ConsentQuestion): string {
  const { operation, path, tool, detail } = request;
  const wish = JSON.stringify([operation, path, tool, detail, place, at]);
  return createHash('sha256').update(wish).digest('hex').slice(0, 24);
}
