import { escapeText } from '../../base/quote.ts';
import { operations as all } from '../../boundary/step/operation.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import { type ServerView, viewForServer } from '../../client/expose/view-for-server.ts';
import type { StoredRoot, StoreSnapshot } from '../../client/store/stored-root.ts';
import { type RootPermissions, toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint, formatFields } from '../terminal/paint.ts';
import { describeGrant, describePermissions, describeView, lookAtRoots } from './format-roots.ts';
import { lookIntoStore, requireStored } from './own-store.ts';

export interface ShowRootFlags {
  readonly server?: string;
  readonly json: boolean;
}

/** Prints everything about one root. */
export async function runShowRoot(this: CliContext, flags: ShowRootFlags, which: string): Promise<void> {
  const { root, snapshot } = await lookIntoStore(this, async (store) => ({
    root: requireStored(this, store, which),
    snapshot: store.snapshot(),
  }));
  const issues = await findRootIssues({ uri: root.uri, name: root.name });
  const state = (await lookAtRoots([root])).get(root.path) ?? '';
  const { server } = flags;
  const names = server === undefined ? namesIn(root, snapshot) : [server];
  const shown = { root, state, issues, server, views: viewsOf(root, snapshot, names) };
  this.process.stdout.write(
    flags.json ? `${JSON.stringify(toDocument(shown))}\n` : formatFields(fieldsOf(shown), createPaint(this)),
  );
}

/** The servers that have permissions or grants for this root. */
function namesIn({ servers, grants }: StoredRoot, snapshot: StoreSnapshot): readonly string[] {
  const named = [...Object.keys(servers), ...grants.map(({ server }) => server)];
  return [...new Set([...named, ...Object.keys(snapshot.servers)])];
}

type ServerViews = ReadonlyMap<string, ServerView>;

function viewsOf({ path }: StoredRoot, snapshot: StoreSnapshot, names: readonly string[]): ServerViews {
  const now = new Date();
  const views = names.flatMap((name) => {
    const view = viewForServer(snapshot, name, now).find(({ root }) => root.path === path);
    return view === undefined ? [] : [[name, view] as const];
  });
  return new Map(views);
}

interface RootToShow {
  readonly root: StoredRoot;
  readonly state: string;
  readonly issues: readonly RootFinding[];
  readonly server: string | undefined;
  readonly views: ServerViews;
}

function toDocument({ root, state, issues, server, views }: RootToShow): object {
  const perServer = [...views].map(
    ([name, { shown, why, permissions }]) => [name, { shown, why, effective: permissions }] as const,
  );
  const own = server === undefined ? { shownTo: Object.fromEntries(perServer) } : perServer[0]?.[1];
  return { ...root, state, effective: toRootPermissions(root.permissions), ...own, issues };
}

type LabelledLines = readonly (readonly [string, string])[];

function fieldsOf({ root, state, issues, server, views }: RootToShow): LabelledLines {
  const [only] = server === undefined ? [] : views.values();
  const permissions = only?.permissions ?? toRootPermissions(root.permissions);
  const perServer = [...views].map(
    ([name, view]) => [`permits ${escapeText(name)}`, describeView(view)] as const,
  );
  return [
    ['name', escapeText(root.name)],
    ['where', escapeText(root.path)],
    ['uri', root.uri],
    ['state', state],
    ...(root.added === undefined ? [] : [['added', root.added] as const]),
    ...(only === undefined ? [['permits', describePermissions(permissions)] as const] : perServer),
    ...deniedBy(permissions),
    ...(only === undefined ? perServer : [['because', only.why] as const]),
    ...root.grants.map(
      (grant) => ['answer', `${escapeText(grant.server)}: ${describeGrant(grant)}`] as const,
    ),
    ...issues.map(({ severity, message }) => [severity, message] as const),
  ];
}

function deniedBy({ deny }: RootPermissions): LabelledLines {
  return deny.map(({ glob, operations }) => {
    const only =
      operations === undefined || operations.length === all.length ? '' : ` (${operations.join(', ')})`;
    return ['denies', escapeText(`${glob}${only}`)] as const;
  });
}
