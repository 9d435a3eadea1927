import type { AuditSink } from '../../audit/sink.ts';
import type { Root } from '../../path/root.ts';
import type { MergeMode } from '../../policy/merge.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Asking } from '../../policy/settle.ts';
import type { ResolveOptions } from '../../workspace/chain/chain-context.ts';
import type { WorkspaceOptions } from '../../workspace/workspace.ts';
import type { WorkspaceKeeper } from '../compose/composition-cache.ts';
import type { ConnectionMemory } from '../connection/connection-memory.ts';
import type { Trace } from './trace-event.ts';

/** What the operator says at one moment. */
export interface OperatorWord {
  /** Another one with every change: words with the same one are taken for the same, whoever asks. */
  readonly revision: number;
  /** What may be reached at most. The policy goes by their names. */
  readonly ceiling: readonly Root[];
  readonly policy: Policy;
  /**
   * Roots that are kept from this server, whoever lists them, with everything beneath. Where one of the ceiling
   * lies in one of them, or the other way round, the inner one decides.
   */
  readonly refused?: readonly Root[];
}

/** The tools that `attach` offers on request. */
export type OwnToolName = 'list_roots' | 'switch_project' | 'why';

/** How a server sees its clients. Everything has a default that fails closed. */
export interface AttachOptions extends Asking, Omit<ResolveOptions, 'signal' | 'within'> {
  /** What may be reached at most: absolute paths or file URIs. */
  readonly ceiling?: readonly string[];
  /** What is never reached, whoever names it, with everything beneath: absolute paths or file URIs. */
  readonly forbidden?: readonly string[];
  /** What is never changed, whoever names it, with everything beneath: absolute paths or file URIs. */
  readonly fixed?: readonly string[];
  /** The project, whatever the client says: an absolute path or a file URI. */
  readonly project?: string;
  /** Who has a say in the roots; `union`, and over HTTP `intersect`, where a client can never widen. */
  readonly merge?: MergeMode;
  /**
   * Whether clients come over HTTP. The transports of the SDKs are told apart by themselves; say so for one of
   * your own that has no session.
   */
  readonly overHttp?: boolean;
  /** What may be done in them; reading and listing by default. */
  readonly policy?: PolicyConfig | Policy;
  /**
   * Asked for every call, for an operator whose mind may change while the server runs: takes the place of
   * `ceiling` and `policy`, which count where it has nothing to say.
   */
  readonly operator?: () => OperatorWord | undefined | Promise<OperatorWord | undefined>;
  /** What else helps whoever has no roots or no project, behind the usual remedy: `or call the operator`. */
  readonly remedy?: string;
  /** Where decisions are written down; the last 1,000 in memory by default. */
  readonly audit?: AuditSink;
  /** How long a client may take to list its roots, in milliseconds; 3,000 by default. */
  readonly timeout?: number;
  /** For how long a look at the disk counts, in milliseconds; 5,000 by default. */
  readonly freshness?: number;
  /**
   * For how long the answer of a 2026 client counts for its next calls, in milliseconds; none by default, because
   * no such client tells when its roots change.
   */
  readonly reuse?: number;
  /**
   * From 2026-07-28 on a question to the client makes the client send the call again, so that a handler runs
   * twice up to the question. For these tools (prompts, resources) it is put before the handler begins.
   */
  readonly preflight?: boolean | readonly string[] | ((method: string, name: string | undefined) => boolean);
  /** Offers `list_roots`, `switch_project` and `why`, or some of them. */
  readonly tools?: boolean | readonly OwnToolName[];
  /** Takes `cwd` or `project` among the arguments of a tool as the project of that call. */
  readonly argument?: boolean;
  /** Asks for the roots as soon as the client is there. Not over HTTP, where nothing could carry the question. */
  readonly eager?: boolean;
  /** Makes the primary root the working directory of the process, also when it changes. Not over HTTP. */
  readonly chdir?: boolean;
  /** What a connection remembers, by its session; in the process, and gone with the connection, by default. */
  readonly memory?: (sessionId: string | undefined) => ConnectionMemory | undefined;
  /** Keeps workspaces open between requests that have a server each. */
  readonly keeper?: WorkspaceKeeper;
  /** Is told every step; for a log. */
  readonly trace?: Trace;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The directory that the process was started in. */
  readonly cwd?: string;
  readonly boundary?: WorkspaceOptions['boundary'];
}
