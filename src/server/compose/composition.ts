import type { RootwardError } from '../../errors.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Resolution } from '../../workspace/chain/resolution.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Remembered } from '../connection/connection-memory.ts';
import type { CallWorkspace } from '../settings/rootward.ts';

/** Everything about one call that can tell the project, beside the settings. */
export interface CompositionInput {
  readonly answer: RootsAnswer;
  readonly remembered: Remembered;
  readonly client: ClientIdentity | undefined;
  readonly overHttp: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly argument: string | undefined;
  readonly revision: number;
}

/** Which project, and what may be reached: the answer, or the error that stands for it, with the whole way. */
export interface Composition {
  readonly workspace: CallWorkspace | undefined;
  /** The same for whoever awaits it: many do. */
  readonly ready: Promise<CallWorkspace> | undefined;
  readonly error: RootwardError | undefined;
  /** Held open; no roots where nothing may be reached. */
  readonly open: Workspace;
  /** The rules of the operator, and no more than the client permits in its own roots. */
  readonly policy: Policy;
  readonly resolution: Resolution;
  readonly why: string;
  /** The switch that this connection remembers has come to its end. */
  readonly switchEnded: boolean;
}
