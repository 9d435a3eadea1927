import { quote, quoteUpTo } from '../base/quote.ts';
import { askWithin, type WaitBounds } from '../base/wait.ts';
import { RootwardError } from '../errors.ts';
import type { Location } from '../workspace/workspace.ts';
import { findAskedPlace, type PlaceScope } from './asked-place.ts';
import type { AccessRequest } from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';

/** A question for a person. */
export interface ConsentQuestion {
  readonly request: AccessRequest;
  /** Name of the root. */
  readonly root: string;
  /** Path of that root, because consent for one place does not cover another of the same name. */
  readonly place?: string;
  /** The place where the operation would really act, from that root. Consent covers only that place. */
  readonly at: AskedPlace;
  readonly reason: string;
  /** Aborted when the answer comes too late to count. */
  readonly signal: AbortSignal;
  /** The client or caller that asks, if known. */
  readonly caller?: string;
  /**
   * Identifies the connection; the same while the client stays connected. Absent where no state outlives a
   * request.
   */
  readonly session?: object | string;
  /** Asks through the client itself, if it supports that. */
  readonly askClient?: AskConsent;
}

/** Asks a person. Any result but `true` is a no; `notAsked` says that there was no way to ask. */
export type AskConsent = (question: ConsentQuestion) => unknown;

/** The result of an `ask` that could reach no person. */
export const notAsked = 'not-asked';

/** The result of an `ask` that only tells that a person would be asked; the decision stays open. */
export const wouldAsk = 'would-ask';

export interface Asking {
  /** Without it, every question is answered with no. */
  readonly ask?: AskConsent | undefined;
  /** Milliseconds to wait for an answer; two minutes by default. */
  readonly patience?: number;
}

/** The workspace and the rules of a question, and the request that it belongs to. */
export interface AskingScope extends Asking, PlaceScope {
  /** Aborted when the client takes its request back: an answer no longer counts. */
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a command line that a person is shown. A longer one is refused. */
export const mostShown = 4_000;

/**
 * Thrown by an `ask` whose answer arrives in another call: neither yes nor no, and no audit entry is written.
 */
export class AnswerPending extends Error {}

/**
 * Turns an `ask` decision into allow or deny. Consent covers the place that was asked about. No `ask`
 * function, no answer in time and a failed question all deny. The decision stays `ask` if the request is taken
 * back before the answer.
 */
export async function settle(
  decision: Decision,
  request: AccessRequest,
  location: Location | undefined,
  scope: AskingScope,
): Promise<Decision> {
  if (decision.verdict !== 'ask' || location === undefined) return decision;
  const { ask, patience = 120_000, signal: taken } = scope;
  const { rule, reason } = decision;
  if (ask === undefined) return unasked(decision);
  const { length } = request.detail ?? '';
  if (length > mostShown) {
    const tooLong = `a person would have to approve ${length} characters, and is shown ${mostShown} at most`;
    return { verdict: 'deny', rule, reason: `${reason}, and ${tooLong}` };
  }
  const at = await findAskedPlace(scope, request, location).catch(asDenial);
  if ('verdict' in at) return at;
  const { name: root, path: place } = location.root;
  const bounds = { patience, ...(taken && { signal: taken }) };
  const answer = await answerTo((signal) => ask({ request, root, place, at, reason, signal }), bounds);
  if (answer === notAsked) return unasked(decision);
  if (answer === wouldAsk) return decision;
  if (taken?.aborted === true && answer !== true) return { verdict: 'ask', rule, reason: takenBack };
  return answer === true
    ? { verdict: 'allow', rule: `${rule}:yes`, reason: 'a person said yes', agreed: at }
    : { verdict: 'deny', rule: `${rule}:no`, reason: 'a person was asked and did not say yes' };
}

const takenBack = 'the request was taken back before a person answered';

function unasked({ rule, reason }: Decision): Decision {
  return { verdict: 'deny', rule, reason: `${reason}, and no person can be asked`, asked: false };
}

/** Consent cannot open such a place, so no question is asked. */
function asDenial(error: unknown): Decision {
  if (RootwardError.is(error, 'DENIED')) {
    const { rule, reason } = error.data;
    return { verdict: 'deny', rule, reason };
  }
  if (!RootwardError.is(error, 'OUTSIDE_ROOTS')) throw error;
  return { verdict: 'deny', rule: 'outside-roots', reason: 'it leads out of the roots' };
}

/** Only a timely `true` is consent. */
async function answerTo(ask: (signal: AbortSignal) => unknown, bounds: WaitBounds): Promise<unknown> {
  try {
    const answer = await askWithin(ask, bounds);
    return 'value' in answer ? answer.value : false;
  } catch (error) {
    if (error instanceof AnswerPending) throw error;
    return false;
  }
}

/**
 * Words a question for a person who reads nothing else: which tool wants to do what, where that really is,
 * and how far consent reaches. Texts from outside are escaped and bounded.
 *
 * @example
 * ```ts
 * const request = { operation: 'write', path: 'l' };
 * const at = { relative: 'a', links: ['l'], whole: false };
 * describeQuestion({ request, root: 'app', at, reason: '?' }) // → 'Allow to write "l", which is "a", in "app"? (?)'
 * ```
 */
export function describeQuestion(question: DescribedRequest): string {
  const { request, root, at, reason } = question;
  const { operation, path, tool, detail } = request;
  const who = tool === undefined ? '' : ` ${quote(tool)}`;
  const what = detail === undefined ? '' : `: ${shownDetail(detail)}`;
  const place = placeBehind(question);
  const real = place === undefined ? '' : `, which is ${quote(place)},`;
  const inside = at.whole && operation !== 'execute' ? ' and everything in it' : '';
  return `Allow${who} to ${verbs[operation]} ${quote(path)}${real}${inside} in ${quote(root)}${what}?${reachOf(question)} (${reason})`;
}

/** Returns the place that a path leads to, if its text names another. */
export function placeBehind({ request, at }: Pick<ConsentQuestion, 'request' | 'at'>): string | undefined {
  const isNamed = at.links.length === 0 && endsIn(request.path, at.relative);
  return isNamed ? undefined : at.relative || '.';
}

type DescribedRequest = Pick<ConsentQuestion, 'request' | 'root' | 'at' | 'reason'>;

const verbs = {
  read: 'read',
  list: 'list',
  write: 'write',
  remove: 'remove',
  execute: 'run a command line in',
} as const satisfies { readonly [Operation in ConsentQuestion['request']['operation']]: string };

function shownDetail(detail: string): string {
  const cut = detail.length > mostShown ? ` (${detail.length} characters, not all shown)` : '';
  return `${quoteUpTo(detail, mostShown)}${cut}`;
}

/** Whether the path as asked shows where it leads: by its last names, or as a whole. */
function endsIn(path: string, relative: string): boolean {
  const asked = path.replaceAll('\\', '/').replace(/\/+$/, '');
  return relative === '' ? !asked.includes('..') : `/${asked}`.endsWith(`/${relative}`);
}

function reachOf({ request, root }: DescribedRequest): string {
  return request.operation === 'execute' ? ` It can reach everything in ${quote(root)}.` : '';
}
