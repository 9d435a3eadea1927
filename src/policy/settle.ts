import { setTimeout } from 'node:timers/promises';
import { quote, quoteUpTo } from '../base/quote.ts';
import { RootwardError } from '../errors.ts';
import type { Location } from '../workspace/workspace.ts';
import { findAskedPlace, type PlaceScope } from './asked-place.ts';
import type { AccessRequest } from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';

/** What a person is asked. */
export interface ConsentQuestion {
  readonly request: AccessRequest;
  /** Name of the root. */
  readonly root: string;
  /** Where that root is: a yes for one place is none for another of the same name. */
  readonly place?: string;
  /** Where it would really act, from that root. The yes counts for that place alone. */
  readonly at: AskedPlace;
  readonly reason: string;
  /** Aborted when the answer comes too late to count. */
  readonly signal: AbortSignal;
  /** Who wants it, as far as that is known. */
  readonly caller?: string;
  /** Whose it is: the same as long as the client stays connected. Unknown where nothing outlives a request. */
  readonly session?: object | string;
  /** How the client itself could ask the person, if it can. */
  readonly askClient?: AskConsent;
}

/** Puts the question to a person. Anything but `true` is a no. */
export type AskConsent = (question: ConsentQuestion) => unknown;

export interface Asking {
  /** Without it there is nobody to ask. */
  readonly ask?: AskConsent | undefined;
  /** How long a person may think; two minutes by default. */
  readonly patience?: number;
}

/** Characters of a command line that a person is shown, and so the most that one can say yes to. */
export const mostShown = 4_000;

/** Thrown by a question that is answered in another call: neither yes nor no, and nothing is written down. */
export class AnswerPending extends Error {}

/**
 * Turns `ask` into yes or no, and a yes into one for the place that was asked about. Nobody to ask, no answer in
 * time, or a failed question: no.
 */
export async function settle(
  decision: Decision,
  request: AccessRequest,
  location: Location | undefined,
  scope: Asking & PlaceScope,
): Promise<Decision> {
  if (decision.verdict !== 'ask' || location === undefined) return decision;
  const { ask, patience = 120_000 } = scope;
  const { rule, reason } = decision;
  if (ask === undefined) return { verdict: 'deny', rule, reason: `${reason}, and nobody can be asked` };
  const { length } = request.detail ?? '';
  if (length > mostShown) {
    const tooLong = `a person would have to approve ${length} characters, and is shown ${mostShown} at most`;
    return { verdict: 'deny', rule, reason: `${reason}, and ${tooLong}` };
  }
  const at = await findAskedPlace(scope, request, location).catch(asDenial);
  if ('verdict' in at) return at;
  const { name: root, path: place } = location.root;
  const yes = await answerWithin(patience, (signal) => ask({ request, root, place, at, reason, signal }));
  return yes
    ? { verdict: 'allow', rule: `${rule}:yes`, reason: 'a person said yes', agreed: at }
    : { verdict: 'deny', rule: `${rule}:no`, reason: 'a person was asked and did not say yes' };
}

/** A place that no yes could open: nobody is asked about it. */
function asDenial(error: unknown): Decision {
  if (RootwardError.is(error, 'DENIED')) {
    const { rule, reason } = error.data;
    return { verdict: 'deny', rule, reason };
  }
  if (!RootwardError.is(error, 'OUTSIDE_ROOTS')) throw error;
  return { verdict: 'deny', rule: 'outside-roots', reason: 'it leads out of the roots' };
}

async function answerWithin(patience: number, ask: (signal: AbortSignal) => unknown): Promise<boolean> {
  const late = new AbortController();
  const answered = new AbortController();
  const tooLate = setTimeout(patience, false, { signal: answered.signal }).catch(() => false);
  try {
    return (await Promise.race([ask(late.signal), tooLate])) === true;
  } catch (error) {
    if (error instanceof AnswerPending) throw error;
    return false;
  } finally {
    late.abort();
    answered.abort();
  }
}

/**
 * A question of the policy in words, for a person who reads nothing else: which tool wants what, where that really
 * is, and how far a yes goes. Texts from outside are escaped and bounded.
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

/** The place that a path leads to, where its text names another. */
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

/** Whether a path, as it was asked, says where it leads: by its last names, or as a whole. */
function endsIn(path: string, relative: string): boolean {
  const asked = path.replaceAll('\\', '/').replace(/\/+$/, '');
  return relative === '' ? !asked.includes('..') : `/${asked}`.endsWith(`/${relative}`);
}

function reachOf({ request, root }: DescribedRequest): string {
  return request.operation === 'execute' ? ` It can reach everything in ${quote(root)}.` : '';
}
