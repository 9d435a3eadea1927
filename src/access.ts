import { EffectLog, attempt, createEntry } from './audit/create-entry.ts';
import type { AuditSink } from './audit/sink.ts';
import { type AccessRequest, decide, toPolicyLocation } from './policy/decide.ts';
import { actWithin, enforce } from './policy/enforce.ts';
import { type AskingScope, settle } from './policy/settle.ts';
import type { Location } from './workspace/workspace.ts';

/** The workspace, policy and audit sink that one call is judged by. */
export interface AccessScope extends AskingScope {
  readonly audit: AuditSink;
  /** Name of the client or caller, as written to the audit log. */
  readonly caller?: string;
  /** The client with its version, and what tells its connections apart, for the audit log. */
  readonly client?: string;
  readonly session?: string;
}

/**
 * Runs one file operation: locates the path, decides, performs it, and writes an audit entry. Every request
 * for a file goes through here. Refusals are recorded too. If the entry cannot be written, the caller gets an
 * error instead of the result; if the sink already reports a failure in `ready`, `act` does not run at all.
 *
 * `act` receives the location with a boundary that enforces the policy on every name it meets, until `act`
 * ends. One request makes one audit entry: other operations that `act` performs through that boundary are
 * enforced, but not recorded.
 *
 * @throws {RootwardError} `OUTSIDE_ROOTS`, `DENIED`, `AUDIT_FAILED`, and everything that `act` throws
 *
 * @example
 * ```ts
 * const { roots } = parseRoots([{ uri: toFileUri(process.cwd()) }]);
 * const scope = { workspace: await openWorkspace(roots), policy: parsePolicy({}), audit: createMemorySink() };
 * const read = ({ boundary, relative }) => boundary.readText(relative);
 * (await access(scope, { operation: 'read', path: 'LICENSE' }, read)).slice(0, 3) // → 'MIT'
 * await access(scope, { operation: 'write', path: 'LICENSE' }, read) // throws DENIED
 * await access(scope, { operation: 'read', path: '/etc/passwd' }, read) // throws OUTSIDE_ROOTS
 * scope.audit.entries().map(({ verdict }) => verdict) // → ['allow', 'deny', 'deny']
 * ```
 */
export async function access<Result>(
  scope: AccessScope,
  request: AccessRequest,
  act: (location: Location) => Result | Promise<Result>,
): Promise<Result> {
  const { workspace, policy, audit } = scope;
  const started = performance.now();
  await audit.ready?.();
  // Which project?
  const location = workspace.locate(request.path);
  // May I?
  const wish = decide(policy, request, location && toPolicyLocation(location));
  const decision = wish.verdict === 'ask' ? await settle(wish, request, location, scope) : wish;
  // Do it.
  const account = new EffectLog();
  const enforced = { workspace, policy, account };
  const ended = await attempt(() => actWithin(enforce(enforced, request, location, decision), act), account);
  // Write it down.
  await audit.record(createEntry(scope, { request, location, decision, ended, account, started }));
  if ('error' in ended) throw ended.error;
  return ended.result;
}
