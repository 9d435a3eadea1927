import { escapeText } from '../../base/quote.ts';
import { lookAt, type RefusedLook, type PlaceLook } from '../../boundary/look/look-at.ts';
import type { ServerView } from '../../client/expose/view-for-server.ts';
import type { Grant, StoredRoot } from '../../client/store/stored-root.ts';
import { type RootPermissions, toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint, formatColumns, type PaintText } from '../terminal/paint.ts';

/** Formats roots as a table: name, permissions, state, path. */
export async function formatRoots(
  roots: readonly StoredRoot[],
  paint: PaintText,
  view?: NamedView,
): Promise<string> {
  if (roots.length === 0) return 'No roots are stored. Add one with `rootward roots add DIR`, or pick some\n';
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

/** The view of a server, with the name of that server. */
export interface NamedView {
  readonly server: string;
  readonly of: readonly ServerView[];
}

/** The permissions of a root for every server, or for the selected one. */
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

/** How many places are looked at in parallel. */
const atOnce = 16;

/** The state of each root in a word, by path: `there`, `missing` and so on. */
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
  /** The past tense of the change, such as `added`. */
  readonly verb: string;
  readonly roots: readonly StoredRoot[];
  /** The view of the server for which they were changed, if it was one. */
  readonly view?: NamedView | undefined;
  readonly json: boolean;
}

/** Prints the changed roots, one per line, or as JSON. */
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
