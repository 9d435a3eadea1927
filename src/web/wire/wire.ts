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

/** What the page and its server say to each other, as JSON. */

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
  /** `unknown` until it was looked at. */
  readonly state: RootState | 'unknown';
  /** Why, as the end of a sentence. */
  readonly reason: string;
  readonly findings: readonly FindingView[];
  readonly permissions: RootPermissions;
  /** Servers that have permissions of their own here. */
  readonly servers: Readonly<Record<string, RootPermissions>>;
  readonly grants: readonly Grant[];
  readonly markers: readonly string[];
  readonly added?: string;
}

/** Everything about roots at one moment. */
export interface RootsView {
  readonly revision: number;
  readonly file: string;
  /** What is wrong with the file; nothing can be changed until it is repaired. */
  readonly damage?: ErrorView;
  readonly roots: readonly RootView[];
  /** By name of the server: the only roots that it may see, by path. */
  readonly subsets: Readonly<Record<string, readonly string[]>>;
}

/** A refusal for the page: what happened, and what to do. */
export interface ErrorView {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What a client said it can do with roots, and what else matters here. */
export interface DeclaredAbilities {
  readonly roots: boolean;
  readonly listChanged: boolean;
  readonly elicitation: boolean;
}

/** One client of one running process. */
export interface ConnectionView {
  readonly id: string;
  readonly client?: string;
  readonly version?: string;
  /** Of the protocol. */
  readonly revision?: string;
  readonly transport: 'stdio' | 'http';
  readonly declared: DeclaredAbilities;
  /** What it really said when it was asked for its roots. */
  readonly answered?: {
    readonly state: RootsAnswer['state'];
    readonly roots: number;
    readonly reason?: string;
  };
  /** How often it announced that its roots changed. */
  readonly changes: number;
  readonly since: string;
  readonly seen: string;
  readonly project?: { readonly name: string; readonly location?: string };
  readonly source?: string;
  /** Why these roots count. */
  readonly why?: string;
  readonly roots: readonly string[];
  /** Where they are, in the same order. */
  readonly places: readonly string[];
  readonly trail: readonly TrailStep[];
  /** Why there is no project, and the remedy. */
  readonly refusal?: ErrorView;
}

/** Something that a person is asked, as the process that asks says it. */
export interface AskedQuestion {
  readonly id: string;
  /** `access`: an operation on a path. `exposure`: whether a server may see roots. */
  readonly kind: 'access' | 'exposure';
  /** Who asks: the client, or the server by its name. */
  readonly who: string;
  readonly operation?: Operation;
  readonly path?: string;
  /** The tool that wants it. */
  readonly tool?: string;
  /** Where the path really leads, from the root, if its text names another place. */
  readonly real?: string;
  /** A directory, and everything in it. */
  readonly whole?: boolean;
  /** The command line, the other place of a move, how much is written. */
  readonly detail?: string;
  /** Names of the roots that it is about. */
  readonly roots: readonly string[];
  /** Where those are, in the same order: a name can stand for another place elsewhere. */
  readonly places: readonly string[];
  /** The name by which kept roots know the server that asks. */
  readonly server?: string;
  /** Of the process: for which client. */
  readonly connection?: string;
  /** Whether there is a session that an answer can hold for. */
  readonly session: boolean;
  /** Whether a change of kept roots changes what this process permits. */
  readonly follows: boolean;
  readonly reason: string;
  readonly asked: string;
  /** From then on the answer is no. */
  readonly until: string;
}

export type ConsentChoice = 'once' | 'session' | 'always' | 'never';

/** One answer that can be given. */
export interface ChoiceView {
  readonly answer: ConsentChoice;
  /** What exactly it says yes or no to, as the end of a sentence. */
  readonly covers: string;
  /** Whether it is written down and outlives the process that asks. */
  readonly kept: boolean;
}

/** The same for the page: with what can be answered. */
export interface QuestionView extends AskedQuestion {
  readonly choices: readonly ChoiceView[];
}

/** What decides in a running server, beside the roots of its clients. */
export interface ProcessRules {
  readonly policy: PolicyConfig;
  /** Whether that is the most that kept roots get, too. */
  readonly limited: boolean;
  /** Whether it follows the kept roots. */
  readonly follows: boolean;
  /** What may be reached at most, where somebody said so. */
  readonly directories?: readonly string[];
}

/** One running process of this person, as it says itself. */
export interface AnnouncedProcess {
  readonly id: string;
  readonly pid: number;
  /** `watch` is `rootward roots watch`; `host` a program that shows roots to servers of its own. */
  readonly command: 'serve' | 'web' | 'watch' | 'host';
  readonly version: string;
  readonly started: string;
  readonly directory: string;
  readonly url?: string;
  /** The name by which kept roots know it. */
  readonly server?: string;
  readonly rules?: ProcessRules;
  /** Pages that are in front of somebody now; only `web` has any. */
  readonly pages?: number;
  /** Pages that are open, and put away. */
  readonly hidden?: number;
  readonly connections: readonly ConnectionView[];
  readonly questions: readonly AskedQuestion[];
}

export interface ProcessView extends AnnouncedProcess {
  readonly questions: readonly QuestionView[];
}

/** What is shown of the audit log: the newest first. */
export interface AuditPage {
  /** How many entries match. */
  readonly total: number;
  /** The number of the newest entry that was looked at: a later request can ask for the same ones. */
  readonly upto: number;
  readonly entries: readonly NumberedEntry[];
  /** Lines of the log that hold no entry. */
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

/** Allowed and refused in equal spans of time, the oldest first. */
export interface AuditPlot {
  readonly from: string;
  readonly to: string;
  readonly allowed: readonly number[];
  readonly refused: readonly number[];
}

/** Names that occur, for the filters. */
export interface AuditNames {
  readonly callers: readonly string[];
  readonly roots: readonly string[];
}

/** One folder of the browser. */
export interface FolderView {
  readonly path: string;
  readonly name: string;
  /** It begins with a dot. */
  readonly hidden: boolean;
  /** Of the store, if it is a root already. */
  readonly root?: string;
}

export interface BrowseView {
  readonly path: string;
  /** The way from the top that is allowed to here. */
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

/** What would be said about a path if it became a root. */
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

/** Whether something would be allowed, and every step to the answer. */
export interface TryView {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly rule: string;
  readonly root?: string;
  readonly steps: readonly TryStep[];
  readonly hint?: string;
}

/** What changed; the page then asks for it. */
export type PageEvent =
  | { readonly kind: 'hello'; readonly server: string; readonly stream: string }
  | { readonly kind: 'roots'; readonly revision: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'audit'; readonly last: number };

export interface AboutView {
  readonly version: string;
  readonly tops: readonly { readonly name: string; readonly path: string }[];
  /** Whether only folders below the tops can be added. */
  readonly bounded: boolean;
  readonly log: string;
  /** The command that starts this server again as it is. */
  readonly again: string;
  /** Whether there is a server beside it that a client can be connected to. */
  readonly connect: boolean;
}

/** How a client reaches the server beside the page. */
export interface ConnectView {
  readonly url: string;
  /** Where the person finds the token, which is never sent to a page. */
  readonly tokenIs: string;
  /** For the settings of a client, as JSON, with a word in the place of the token. */
  readonly config: string;
}
