import type { RootwardError } from '../../errors.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Resolution } from '../../workspace/chain/resolution.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Remembered } from '../connection/connection-memory.ts';
import type { CallWorkspace } from '../settings/rootward.ts';

/** Everything about one call that can determine the project, beside the settings. */
export interface CompositionInput {
  readonly answer: RootsAnswer;
  readonly remembered: Remembered;
  readonly client: ClientIdentity | undefined;
  readonly overHttp: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly argument: string | undefined;
  /** A switch is remembered for later calls. */
  readonly canSwitch: boolean;
  /** The client can ask its person within the call. */
  readonly canAsk: boolean;
  readonly revision: number;
}

/** The project and the roots of a call, or the error in their place, with the steps that led there. */
export interface Composition {
  readonly workspace: CallWorkspace | undefined;
  /** A resolved promise of `workspace`, shared because many callers await it. */
  readonly ready: Promise<CallWorkspace> | undefined;
  readonly error: RootwardError | undefined;
  /** Held open; without roots if nothing can be reached. */
  readonly open: Workspace;
  /** The operator's rules, narrowed by what the client permits in its own roots. */
  readonly policy: Policy;
  readonly resolution: Resolution;
  readonly why: string;
  /** One sentence about a project that was guessed. */
  readonly guess: string | undefined;
  /** Findings about the entries of the client's list and about the roots. */
  readonly issues: readonly RootIssue[];
  /** The remembered switch has ended. */
  readonly switchEnded: boolean;
}
