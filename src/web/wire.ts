import type { AuditEntry } from '../audit/entry.ts';
import type { Operation } from '../boundary/operation.ts';
import type { RootState } from '../client/liveness.ts';
import type { RootSeverity } from '../client/root-finding.ts';
import type { Grant } from '../client/stored-root.ts';
import type { Root } from '../path/root.ts';
import type { RootPermissions } from '../policy/root-permissions.ts';
import type { RootsAnswer } from '../workspace/roots-answer.ts';
import type { TrailStep } from '../workspace/resolution.ts';

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
export interface Declared {
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
  readonly declared: Declared;
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
  readonly trail: readonly TrailStep[];
  /** Why there is no project, and the remedy. */
  readonly refusal?: ErrorView;
}

/** Something that a person is asked by a running process. */
export interface QuestionView {
  readonly id: string;
  /** `access`: an operation on a path. `exposure`: whether a server may see roots. */
  readonly kind: 'access' | 'exposure';
  /** Who asks: the client, or the server by its name. */
  readonly who: string;
  readonly operation?: Operation;
  readonly path?: string;
  readonly roots: readonly string[];
  readonly reason: string;
  readonly asked: string;
  /** From then on the answer is no. */
  readonly until: string;
}

export type Answer = 'once' | 'session' | 'always' | 'never';

/** One running process of this person. */
export interface ProcessView {
  readonly id: string;
  readonly pid: number;
  readonly command: 'serve' | 'web' | 'wrap' | 'host';
  readonly version: string;
  readonly started: string;
  readonly directory: string;
  readonly url?: string;
  /** Pages that are open in a browser now; only `web` has any. */
  readonly pages?: number;
  readonly connections: readonly ConnectionView[];
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
  | { readonly kind: 'hello'; readonly server: string }
  | { readonly kind: 'roots'; readonly revision: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'audit'; readonly last: number };

export interface AboutView {
  readonly version: string;
  readonly tops: readonly { readonly name: string; readonly path: string }[];
  /** Whether only folders below the tops can be added. */
  readonly bounded: boolean;
  readonly log: string;
}
