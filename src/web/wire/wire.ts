import type { AuditEntry } from '../../audit/entry.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import type { RootSeverity } from '../../client/discover/root-finding.ts';
import type { Grant } from '../../client/store/stored-root.ts';
import type { RootState } from '../../client/watch/liveness.ts';
import type { Root } from '../../path/root.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { RootPermissions } from '../../policy/rules/root-permissions.ts';
import type { TrailStep } from '../../workspace/chain/resolution.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';

/** The JSON messages between the page and its server. */

/** One finding about a root, for the person who granted it. */
export interface FindingView {
  readonly code: string;
  readonly severity: RootSeverity;
  readonly message: string;
  readonly hint: string;
}

/** One root as the page shows it. */
export interface RootView {
  readonly name: string;
  readonly path: string;
  readonly uri: string;
  readonly kind: Root['kind'];
  /** `unknown` until the first look. */
  readonly state: RootState | 'unknown';
  /** The reason, as the end of a sentence. */
  readonly reason: string;
  readonly findings: readonly FindingView[];
  readonly permissions: RootPermissions;
  /** Permissions of individual servers for this root. */
  readonly servers: Readonly<Record<string, RootPermissions>>;
  readonly grants: readonly Grant[];
  readonly markers: readonly string[];
  readonly added?: string;
}

/** All roots at one revision of the store. */
export interface RootsView {
  readonly revision: number;
  readonly file: string;
  /** The damage of the store file; nothing can be changed until it is repaired. */
  readonly damage?: ErrorView;
  readonly roots: readonly RootView[];
  /** The roots that a server is limited to, as paths, by the name of the server. */
  readonly subsets: Readonly<Record<string, readonly string[]>>;
}

/** A refusal for the page, with its remedy. */
export interface ErrorView {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The capabilities that a client declared, as far as they matter here. */
export interface DeclaredAbilities {
  readonly roots: boolean;
  readonly listChanged: boolean;
  readonly elicitation: boolean;
}

/** One client of a running process. */
export interface ConnectionView {
  readonly id: string;
  readonly client?: string;
  readonly version?: string;
  /** The protocol revision. */
  readonly revision?: string;
  readonly transport: 'stdio' | 'http';
  readonly declared: DeclaredAbilities;
  /** The client's actual answer when it was asked for roots. */
  readonly answered?: {
    readonly state: RootsAnswer['state'];
    readonly roots: number;
    readonly reason?: string;
  };
  /** How often the client announced a change of its roots. */
  readonly changes: number;
  readonly since: string;
  readonly seen: string;
  readonly project?: { readonly name: string; readonly location?: string };
  readonly source?: string;
  /** The reason for these roots. */
  readonly why?: string;
  readonly roots: readonly string[];
  /** Their paths, in the same order. */
  readonly places: readonly string[];
  readonly trail: readonly TrailStep[];
  /** The reason that there is no project, and the remedy. */
  readonly refusal?: ErrorView;
}

/** A question to a person, in the words of the process that asks. */
export interface AskedQuestion {
  readonly id: string;
  /** `access`: an operation on a path. `exposure`: whether a server may see roots. `switch`: whether a client may work in a directory that no one has named yet. */
  readonly kind: 'access' | 'exposure' | 'switch';
  /** The client that asks, or the name of the server. */
  readonly who: string;
  readonly operation?: Operation;
  readonly path?: string;
  /** The tool that needs the permission. */
  readonly tool?: string;
  /** The path from the root after following links, if it differs from the text. */
  readonly real?: string;
  /** Set if the answer covers a directory with everything in it. */
  readonly whole?: boolean;
  /** The command line, the other place of a move, or the size of a write. */
  readonly detail?: string;
  /** Names of the roots in question. */
  readonly roots: readonly string[];
  /** Their paths, in the same order, because a name may stand for another place elsewhere. */
  readonly places: readonly string[];
  /** The name by which the root store knows the asking server. */
  readonly server?: string;
  /** The id of the client within the process. */
  readonly connection?: string;
  /** Whether an answer can be given for the session. */
  readonly session: boolean;
  /** Whether changes to the root store affect this process. */
  readonly follows: boolean;
  readonly reason: string;
  readonly asked: string;
  /** When the question expires and the answer becomes no. */
  readonly until: string;
}

export type ConsentChoice = 'once' | 'session' | 'always' | 'never';

/** One possible answer. */
export interface ChoiceView {
  readonly answer: ConsentChoice;
  /** The exact scope of the answer, as the end of a sentence. */
  readonly covers: string;
  /** Whether the answer is saved and outlives the asking process. */
  readonly kept: boolean;
}

/** A question with its possible answers. */
export interface QuestionView extends AskedQuestion {
  readonly choices: readonly ChoiceView[];
}

/** The rules of a running server, beside the roots of its clients. */
export interface ProcessRules {
  readonly policy: PolicyConfig;
  /** Whether the permissions are an upper limit for stored roots too. */
  readonly limited: boolean;
  /** Whether the process follows the root store. */
  readonly follows: boolean;
  /** The directories that can be reached at most, if the operator set any. */
  readonly directories?: readonly string[];
}

/** One running process, as it announces itself. */
export interface AnnouncedProcess {
  readonly id: string;
  readonly pid: number;
  /** `watch` is `rootward roots watch`; `host` is a program that shows roots to servers. */
  readonly command: 'serve' | 'web' | 'watch' | 'host';
  readonly version: string;
  readonly started: string;
  readonly directory: string;
  readonly url?: string;
  /** The name by which the root store knows it. */
  readonly server?: string;
  readonly rules?: ProcessRules;
  /** Number of visible pages; only `web` has any. */
  readonly pages?: number;
  /** Number of pages in the background. */
  readonly hidden?: number;
  readonly connections: readonly ConnectionView[];
  readonly questions: readonly AskedQuestion[];
}

export interface ProcessView extends AnnouncedProcess {
  readonly questions: readonly QuestionView[];
}

/** One page of the audit log, newest first. */
export interface AuditPage {
  /** Number of matching entries. */
  readonly total: number;
  /** The number of the newest entry included, so that a later request can ask for the same set. */
  readonly upto: number;
  readonly entries: readonly NumberedEntry[];
  /** Lines of the log that are no entry. */
  readonly skipped: number;
}

export type NumberedEntry = AuditEntry & { readonly number: number };

export interface AuditFilter {
  readonly caller?: string;
  readonly root?: string;
  readonly operation?: string;
  readonly verdict?: string;
  readonly text?: string;
  readonly upto?: number;
}

/** Allowed and refused calls per equal time span, oldest first. */
export interface AuditPlot {
  readonly from: string;
  readonly to: string;
  readonly allowed: readonly number[];
  readonly refused: readonly number[];
}

/** Names that occur in the log, for the filters. */
export interface AuditNames {
  readonly callers: readonly string[];
  readonly roots: readonly string[];
}

/** One folder in the folder browser. */
export interface FolderView {
  readonly path: string;
  readonly name: string;
  /** Whether its name starts with a dot. */
  readonly hidden: boolean;
  /** Its name in the store, if it is already a root. */
  readonly root?: string;
}

export interface BrowseView {
  readonly path: string;
  /** The path from the top to this folder. */
  readonly crumbs: readonly { readonly name: string; readonly path: string }[];
  readonly folders: readonly FolderView[];
  readonly truncated: boolean;
}

export interface CandidateView {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly score: number;
  readonly badges: readonly string[];
}

/** The findings for a path if it became a root. */
export interface LookView {
  readonly path: string;
  readonly name: string;
  readonly findings: readonly FindingView[];
}

export interface TryStep {
  readonly title: string;
  readonly outcome: 'good' | 'bad' | 'skipped';
  readonly text: string;
}

/** Whether an operation would be allowed, with every step of the decision. */
export interface TryView {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly rule: string;
  readonly root?: string;
  readonly steps: readonly TryStep[];
  readonly hint?: string;
}

/** A notification that data changed; the page then fetches it. */
export type PageEvent =
  | { readonly kind: 'hello'; readonly server: string; readonly stream: string }
  | { readonly kind: 'roots'; readonly revision: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'audit'; readonly last: number };

export interface AboutView {
  readonly version: string;
  readonly tops: readonly { readonly name: string; readonly path: string }[];
  /** Whether only folders inside the tops can be added. */
  readonly bounded: boolean;
  readonly log: string;
  /** The command that starts this server again. */
  readonly again: string;
  /** Whether there is a server beside the page that clients can connect to. */
  readonly connect: boolean;
}

/** How a client reaches the MCP server next to the page. */
export interface ConnectView {
  readonly url: string;
  /** Tells the person where to find the token, which is never sent to a page. */
  readonly tokenIs: string;
  /** The client configuration as JSON, with a placeholder for the token. */
  readonly config: string;
}
