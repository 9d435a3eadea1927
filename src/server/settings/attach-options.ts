import type { AuditSink } from '../../audit/sink.ts';
import type { Fields } from '../../base/fields.ts';
import type { Root } from '../../path/root.ts';
import type { MergeMode } from '../../policy/merge.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Asking } from '../../policy/settle.ts';
import type { ResolveOptions } from '../../workspace/chain/chain-context.ts';
import type { WorkspaceOptions } from '../../workspace/workspace.ts';
import type { WorkspaceKeeper } from '../compose/workspace-keeper.ts';
import type { CaughtClients } from '../connection/client-roots.ts';
import type { ConnectionMemory } from '../connection/connection-memory.ts';
import type { ProjectChoices } from './chosen-project.ts';
import type { Trace } from './trace-event.ts';

/** The operator's settings at one moment. */
export interface OperatorWord {
  /** Different after every change: equal revisions are taken for equal settings. */
  readonly revision: number;
  /** The most that can be reached. The policy refers to these names. */
  readonly ceiling: readonly Root[];
  readonly policy: Policy;
  /**
   * Roots that are hidden from this server with everything in them, no matter which side lists them. If a root of
   * the ceiling lies inside one of them or contains it, the inner one decides.
   */
  readonly refused?: readonly Root[];
}

/** The tools that `attach` offers on request. */
export type OwnToolName = 'list_roots' | 'switch_project' | 'why';

/** A directory that a client wants to work in, where nothing is allowed yet. */
export interface SwitchQuestion {
  /** As the client named it. */
  readonly project: string;
  /** The real path, which the answer is about. */
  readonly place: string;
  /** The operations that a yes allows: `read, list; asks before write`. */
  readonly allowed: string;
  /** The name of the client, if known. */
  readonly caller?: string;
  /** Identifies the connection. */
  readonly session?: object | string;
  /** Aborted when the answer comes too late to count. */
  readonly signal: AbortSignal;
}

/** Asks a person somewhere else than in the client, as on a page, whether a client may work in a directory. */
export interface SwitchAsking {
  /** Whether a person could be asked now. */
  canAsk(): Promise<boolean>;
  /** Resolves to whether the person agreed; `undefined` if no person could be asked. */
  ask(question: SwitchQuestion): Promise<boolean | undefined>;
}

/** Options of `attach`. Every default fails closed. */
export interface AttachOptions extends Asking, Omit<ResolveOptions, 'signal' | 'within'> {
  /** The most that can be reached: absolute paths or file URIs. */
  readonly ceiling?: readonly string[];
  /** Places that are never reached, with everything in them: absolute paths or file URIs. */
  readonly forbidden?: readonly string[];
  /** Places that are never changed, with everything in them: absolute paths or file URIs. */
  readonly fixed?: readonly string[];
  /** The project, whatever the client says: an absolute path or a file URI. */
  readonly project?: string;
  /**
   * How operator and client combine: `union` by default, and over HTTP `intersect`, so that a client never widens.
   */
  readonly merge?: MergeMode;
  /**
   * Whether clients come over HTTP. The SDKs' own transports are recognised; set this for a custom one without
   * sessions.
   */
  readonly overHttp?: boolean;
  /** The permissions; by default reading and listing. */
  readonly policy?: PolicyConfig | Policy;
  /**
   * Asked on every call, for an operator whose settings change at run time. Replaces `ceiling` and `policy`, which
   * apply if it returns nothing.
   */
  readonly operator?: () => OperatorWord | undefined | Promise<OperatorWord | undefined>;
  /** Added to the usual remedy if there are no roots or no project: `or call the operator`. */
  readonly remedy?: string;
  /** Receives every decision; by default the last 1,000 are kept in memory. */
  readonly audit?: AuditSink;
  /** Milliseconds that a client has to list its roots; 3,000 by default. */
  readonly timeout?: number;
  /** Milliseconds for which a look at the disk stays valid; 5,000 by default. */
  readonly freshness?: number;
  /**
   * Milliseconds for which the answer of a 2026 client is reused by later calls; 0 by default, because such a
   * client does not announce changes.
   */
  readonly reuse?: number;
  /**
   * Tools (prompts, resources) whose client is asked before the handler starts. From 2026-07-28 on a question
   * makes the client repeat the call, so that a handler would otherwise run twice up to the question.
   */
  readonly preflight?: boolean | readonly string[] | ((method: string, name: string | undefined) => boolean);
  /** Offers `list_roots`, `switch_project` and `why`, or some of them. */
  readonly tools?: boolean | readonly OwnToolName[];
  /**
   * Reads `cwd` or `project` among a tool's arguments as the project of that call, and lists both as arguments of
   * every tool whose schema accepts more properties.
   */
  readonly argument?: boolean;
  /**
   * Asks the person where several projects are open, a call needs one and the client can be asked; remembers the
   * choice here. Without it the first one counts, as a guess.
   */
  readonly choices?: ProjectChoices;
  /** Asks for the directory of `switch_project` where the client cannot ask its person. */
  readonly askSwitch?: SwitchAsking;
  /** The input schema of a tool: an answer names the arguments that it does not have. */
  readonly inputs?: (tool: string) => Fields | undefined;
  /**
   * Asks for the roots as soon as the client has initialized, and lets `workspace()` without a context wait for the
   * answer. Not over HTTP, which cannot carry the question.
   */
  readonly eager?: boolean;
  /** Makes the primary root the working directory of the process and follows its changes. Not over HTTP. */
  readonly chdir?: boolean;
  /** The memory of a connection by its session; by default it lives in the process as long as the connection. */
  readonly memory?: (sessionId: string | undefined) => ConnectionMemory | undefined;
  /** Keeps workspaces open between requests that have a server each. */
  readonly keeper?: WorkspaceKeeper;
  /** Remembers across connections which clients declare roots and do not list them; nothing by default. */
  readonly caught?: CaughtClients;
  /** Receives every step, for a log. */
  readonly trace?: Trace;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The directory that the process was started in. */
  readonly cwd?: string;
  readonly boundary?: WorkspaceOptions['boundary'];
}
