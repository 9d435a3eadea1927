import { lookAt } from '../../boundary/look/look-at.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import { permissionsFor } from '../../client/store/permissions-for.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import { watchStore } from '../../client/watch/watch-roots.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { FindingView, RootsView, RootView } from '../wire/wire.ts';

/** The stored roots as the page shows them, with the state of each place. */
export interface RootViews extends AsyncDisposable {
  view(): RootsView;
  /** Resolves when every root has been looked at once. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds within which changes are combined; longer for longer lists. */
const settleFor = ({ length }: readonly unknown[]): number => Math.min(1_500, 60 + length / 8);
/** Findings that the state of a root already expresses. */
const saidByState: ReadonlySet<string> = new Set(['missing', 'no-permission', 'unmounted']);

/** Watches the stored roots and their findings, and reports each change. */
export function openRootViews(store: RootStore, onChange: (revision: number) => void): RootViews {
  const stop = new AbortController();
  let revision = 1;
  let shown: RootsView | undefined;
  let inspected: InspectedRoots = { findings: new Map(), kinds: new Map() };
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    shown = undefined;
    revision += 1;
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange(revision);
    }, settleFor(store.list())).unref();
  };
  const inspect = createInspection(store, stop.signal, (found) => {
    inspected = found;
    changed();
  });
  const watching = watchStore(store, {
    onChange: () => {
      changed();
      inspect();
    },
  });
  const unsubscribe = store.subscribe(() => {
    changed();
    inspect();
  });
  inspect();
  const close = async (): Promise<void> => {
    stop.abort();
    clearTimeout(timer);
    unsubscribe();
    await watching.close();
  };
  const view = (): RootsView => {
    shown ??= viewStore(store, revision, (root) => {
      const status = watching.watch.status(root.path);
      return {
        state: status?.state ?? 'unknown',
        reason: status?.reason ?? 'it was not checked yet',
        markers: status?.markers ?? [],
        findings: inspected.findings.get(root.path) ?? [],
        kind: inspected.kinds.get(root.path) ?? root.kind,
      };
    });
    return shown;
  };
  return { view, ready: watching.watch.ready, close, [Symbol.asyncDispose]: close };
}

type KnownRoot = Pick<RootView, 'state' | 'reason' | 'markers' | 'findings' | 'kind'>;

function viewStore(store: RootStore, revision: number, knownOf: (root: StoredRoot) => KnownRoot): RootsView {
  const { roots, servers } = store.snapshot();
  const { damage } = store;
  const subsets = Object.entries(servers).flatMap(([name, server]) =>
    server.roots === undefined ? [] : [[name, server.roots] as const],
  );
  return {
    revision,
    file: store.file,
    ...(damage && { damage: { code: damage.code, message: damage.message, hint: damage.hint } }),
    roots: roots.map((root) => viewRoot(root, knownOf(root))),
    subsets: Object.fromEntries(subsets),
  };
}

function viewRoot(root: StoredRoot, known: KnownRoot): RootView {
  const { name, path, uri, permissions, servers, grants, added } = root;
  const own = Object.keys(servers).map(
    (server) => [server, toRootPermissions(permissionsFor(root, server))] as const,
  );
  return {
    name,
    path,
    uri,
    permissions: toRootPermissions(permissions),
    servers: Object.fromEntries(own),
    grants,
    ...known,
    ...(added === undefined ? {} : { added }),
  };
}

interface InspectedRoots {
  readonly findings: ReadonlyMap<string, readonly FindingView[]>;
  readonly kinds: ReadonlyMap<string, RootView['kind']>;
}

type OnInspected = (inspected: InspectedRoots) => void;

/** Inspects all roots, one inspection at a time. Changes during one lead to one more. */
function createInspection(store: RootStore, signal: AbortSignal, found: OnInspected): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      const roots = store.list();
      const list = await findRootIssues(roots, { signal });
      const kinds = await kindsOf(roots, signal);
      if (!signal.aborted) found({ findings: byPath(roots, list), kinds });
    } while (again && !signal.aborted);
  };
  return () => {
    again = true;
    if (running || signal.aborted) return;
    run()
      // A failed inspection is no finding; the next change starts another.
      .catch(() => {})
      .finally(() => {
        running = false;
      });
  };
}

/** The store holds no kinds, because a file today may be a directory tomorrow. */
async function kindsOf(roots: readonly StoredRoot[], signal: AbortSignal): Promise<InspectedRoots['kinds']> {
  const kinds = new Map<string, RootView['kind']>();
  for (const { path } of roots) {
    if (signal.aborted) break;
    const look = await lookAt(path);
    if ('refused' in look) continue;
    kinds.set(path, look.kind === 'file' || look.kind === 'directory' ? look.kind : 'unknown');
  }
  return kinds;
}

function byPath(roots: readonly StoredRoot[], findings: readonly RootFinding[]): Map<string, FindingView[]> {
  const map = new Map<string, FindingView[]>();
  for (const { index, code, severity, message, hint } of findings) {
    const path = roots[index]?.path;
    if (path === undefined || severity === 'note' || saidByState.has(code)) continue;
    map.set(path, [...(map.get(path) ?? []), { code, severity, message, hint }]);
  }
  return map;
}
