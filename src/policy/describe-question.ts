import { quote, quoteUpTo } from '../base/quote.ts';
import { type ConsentQuestion, mostShown } from './settle.ts';

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
export function describeQuestion(question: Described): string {
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

type Described = Pick<ConsentQuestion, 'request' | 'root' | 'at' | 'reason'>;

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

function reachOf({ request, root }: Described): string {
  return request.operation === 'execute' ? ` It can reach everything in ${quote(root)}.` : '';
}
