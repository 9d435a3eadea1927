import { EffectLog, attempt, createEntry } from './audit/create-entry.ts';
import type { AuditSink } from './audit/sink.ts';
import { type AccessRequest, decide, toPolicyLocation } from './policy/decide.ts';
import { actWithin, enforce } from './policy/enforce.ts';
import type { Policy } from './policy/rules/policy.ts';
import { type Asking, settle } from './policy/settle.ts';
import type { Location, Workspace } from './workspace/workspace.ts';

/** Everything the sentence needs, for one call. */
export interface AccessScope extends Asking {
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly audit: AuditSink;
  /** Who calls, for the audit. */
  readonly caller?: string;
}

/**
 * The sentence: which project? may I? do it, write it down. Every request for a file goes through here, and
 * every decision on one is recorded, refusals too; what cannot be recorded is not handed out, and does not even
 * happen once that is known.
 *
 * `act` gets the location with a boundary on which the policy is enforced for every name it meets, until `act`
 * has ended. One request is one entry: what else `act` does through that boundary is enforced, not recorded.
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
  const decision = await settle(wish, request, location, scope);
  // Do it.
  const account = new EffectLog();
  const enforced = { workspace, policy, account };
  const ended = await attempt(() => actWithin(enforce(enforced, request, location, decision), act), account);
  // Write it down.
  await audit.record(createEntry(scope, { request, location, decision, ended, account, started }));
  if ('error' in ended) throw ended.error;
  return ended.result;
}
