import { access } from '../access.ts';
import { createMemorySink } from '../audit/memory-sink.ts';
import type { EntryKind } from '../boundary/file-info.ts';
import { type ErrorCode, RootwardError } from '../errors.ts';
import type { AccessRequest } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** May I, where would it act, and which rule says so? */
export interface PathCheck {
  readonly allowed: boolean;
  readonly rule: string;
  readonly reason: string;
  /** Name of the root that holds the path. */
  readonly root?: string;
  /** Real names from that root; absent where it was refused before anything was looked at. */
  readonly place?: string;
  /** What is there; absent where the name is free. */
  readonly kind?: EntryKind;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** Goes through the sentence with an act that only looks. */
export async function checkPath(
  workspace: Workspace,
  policy: Policy,
  request: AccessRequest,
): Promise<PathCheck> {
  const audit = createMemorySink();
  try {
    const { relative, kind } = await access(
      { workspace, policy, audit },
      request,
      ({ boundary, relative: path }) => boundary.probe(request.operation, path),
    );
    const place = relative === '' ? '.' : relative;
    return { allowed: true, ...decided(audit), place, ...(kind === undefined ? {} : { kind }) };
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    const { code, hint, message } = error;
    return { allowed: false, ...decided(audit), reason: message, code, hint };
  }
}

function decided(audit: ReturnType<typeof createMemorySink>): Pick<PathCheck, 'rule' | 'reason' | 'root'> {
  const entry = audit.entries().at(-1);
  if (entry === undefined) return { rule: 'none', reason: 'nothing was decided' };
  const { rule, reason = '', root } = entry;
  return { rule, reason, ...(root === undefined ? {} : { root }) };
}
