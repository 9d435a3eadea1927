import { escapeText } from '../../base/quote.ts';
import { lookAt, type RefusedLook, type PlaceLook } from '../../boundary/look/look-at.ts';
import type { ServerView } from '../../client/expose/view-for-server.ts';
import type { Grant, StoredRoot } from '../../client/store/stored-root.ts';
import { type RootPermissions, toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint, formatColumns, type PaintText } from '../terminal/paint.ts';

/** A table of roots for a person: name, what it permits, whether it is there, where. */
export async function formatRoots(
  roots: readonly StoredRoot[],
  paint: PaintText,
  view?: NamedView,
): Promise<string> {
  if (roots.length === 0) return 'No roots are kept. Add one with `rootward roots add DIR`, or pick some\n';
  const states = await lookAtRoots(roots);
  const rows = roots.map((root) => [
    escapeText(root.name),
    describeFor(root, view),
    states.get(root.path) ?? '',
    escapeText(root.path),
  ]);
  const [head = '', ...lines] = formatColumns([['name', 'permits', 'state', 'where'], ...rows]).split('\n');
  const count = `${roots.length} ${roots.length === 1 ? 'root' : 'roots'}`;
  const some = view && `${view.of.filter(({ shown }) => shown).length} of ${count} shown to ${view.server}`;
  return `${[paint('dim', head), ...lines].join('\n')}${some === undefined ? count : escapeText(some)}\n`;
}

/** What a server gets, by the name that it goes by. */
export interface NamedView {
  readonly server: string;
  readonly of: readonly ServerView[];
}

/** What a root permits to all, or to the server that is looked at. */
function describeFor(root: StoredRoot, view: NamedView | undefined): string {
  const own = view?.of.find((other) => other.root.path === root.path);
  return own === undefined ? describePermissions(toRootPermissions(root.permissions)) : describeView(own);
}

/** `read, list`, or `hidden: a person said never`. */
export function describeView({ shown, why, permissions }: ServerView): string {
  return shown ? describePermissions(permissions) : `hidden: ${why}`;
}

/** `read, list; asks before write; denies 2 patterns`. */
export function describePermissions({ allow, ask, deny }: RootPermissions): string {
  return [
    allow.length === 0 ? 'nothing' : allow.join(', '),
    ...(ask.length === 0 ? [] : [`asks before ${ask.join(', ')}`]),
    ...(deny.length === 0 ? [] : [`denies ${deny.length} ${deny.length === 1 ? 'pattern' : 'patterns'}`]),
  ].join('; ');
}

/** `always, until 2026-01-01, for read`. */
export function describeGrant({ answer, date, until, operations }: Grant): string {
  return [
    `${answer}, since ${date.slice(0, 10)}`,
    ...(until === undefined ? [] : [`until ${until.slice(0, 16)}`]),
    ...(operations === undefined ? [] : [`for ${operations.join(', ')}`]),
  ].join(', ');
}

/** Looks that wait for the disk at the same time. */
const atOnce = 16;

/** By path, in a word: `there`, `missing` and so on. */
export async function lookAtRoots(roots: readonly StoredRoot[]): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  for (let start = 0; start < roots.length; start += atOnce) {
    const part = roots.slice(start, start + atOnce);
    const looks = await Promise.all(part.map(({ path }) => lookAt(path, { milliseconds: 2_000 })));
    for (const [index, root] of part.entries()) states.set(root.path, stateOf(looks[index]));
  }
  return states;
}

function stateOf(look: PlaceLook | RefusedLook | undefined): string {
  if (look === undefined) return '';
  if (!('refused' in look)) return look.readable ? 'there' : 'no permission';
  return { missing: 'missing', 'no-permission': 'no permission', silent: 'no answer' }[look.refused];
}

export interface PrintedRoots {
  /** What was done to them. */
  readonly verb: string;
  readonly roots: readonly StoredRoot[];
  /** What a server gets of them, where they were changed for one. */
  readonly view?: NamedView | undefined;
  readonly json: boolean;
}

/** Says what was done to roots: a line each, as JSON for a program. */
export function printRoots(context: CliContext, { verb, roots, view, json }: PrintedRoots): void {
  const { stdout } = context.process;
  if (json) {
    for (const root of roots) stdout.write(`${JSON.stringify(root)}\n`);
    return;
  }
  const paint = createPaint(context);
  const rows = roots.map((root) => [
    paint('green', verb),
    escapeText(root.name),
    describeFor(root, view),
    escapeText(root.path),
  ]);
  stdout.write(formatColumns(rows));
}
