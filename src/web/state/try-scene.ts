import { permissionsFor, toPolicyConfig } from '../../client/store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../../client/store/stored-root.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { createStorePolicy } from '../../policy/rules/narrow.ts';
import { parsePolicy, type Policy } from '../../policy/rules/policy.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { AnnouncedProcess, ConnectionView, ProcessRules } from '../wire/wire.ts';

/** Where an attempt takes place: what a server would see, and what would decide there. */
export interface TryScene {
  readonly roots: readonly Root[];
  readonly policy: Policy;
  /** Where a relative path begins; from nowhere without it. */
  readonly from?: string;
  /** Who sees only some of the roots. */
  readonly limitedTo?: string;
}

export interface TryCaller {
  /** As this server; any without permissions of its own unless said. */
  readonly server?: string | undefined;
  /** As this running process, with its rules. */
  readonly process?: AnnouncedProcess | undefined;
  /** For which of its clients; the first one unless said. */
  readonly connection?: string | undefined;
  /** Where a relative path begins, by name or path of a root. */
  readonly root?: string | undefined;
}

/** Puts together what would decide: the rules of a running server, or what is kept for any of them. */
export function createTryScene(snapshot: StoreSnapshot, as: TryCaller): TryScene {
  const { process } = as;
  const scene =
    process?.rules === undefined ? sceneOfStore(snapshot, as.server) : sceneOfProcess(snapshot, process, as);
  const named = as.root === undefined ? undefined : findRoot(scene.roots, as.root);
  return named === undefined ? scene : { ...scene, from: named.path };
}

function findRoot(roots: readonly Root[], which: string): Root | undefined {
  return roots.find(({ path }) => path === which) ?? roots.find(({ name }) => name === which);
}

/** Who has one root has that as the project; where there are several, nobody knows which. */
function sceneOfStore(snapshot: StoreSnapshot, server: string | undefined): TryScene {
  const roots = rootsFor(snapshot, server);
  const [only] = roots;
  return {
    roots,
    policy: parsePolicy(toPolicyConfig(roots, server)),
    ...(roots.length === 1 && only !== undefined ? { from: only.path } : {}),
    ...(server === undefined || roots.length === snapshot.roots.length ? {} : { limitedTo: server }),
  };
}

/** The only roots that a server may see, where somebody named them. */
function rootsFor({ roots, servers }: StoreSnapshot, server: string | undefined): readonly StoredRoot[] {
  const subset = server === undefined ? undefined : servers[server]?.roots;
  return subset === undefined ? roots : roots.filter(({ path }) => subset.includes(path));
}

function sceneOfProcess(snapshot: StoreSnapshot, process: AnnouncedProcess, as: TryCaller): TryScene {
  const { rules, server, connections } = process;
  const client = connections.find(({ id }) => id === as.connection) ?? connections[0];
  const kept = rules?.follows === true ? rootsFor(snapshot, server) : [];
  const roots = client === undefined ? withoutClient(rules, kept) : rootsOf(client);
  const from = client?.project?.location;
  const policy = policyOf(rules, kept, server);
  return { roots, policy, ...(from === undefined ? {} : { from }) };
}

function withoutClient(rules: ProcessRules | undefined, kept: readonly StoredRoot[]): readonly Root[] {
  const named = rules?.directories?.map((uri) => ({ uri }));
  return named === undefined ? kept : parseRoots(named).roots;
}

/** A client has its roots by name, and where they are. */
function rootsOf({ roots, places }: ConnectionView): readonly Root[] {
  return parseRoots(places.map((uri, at) => ({ uri, name: roots[at] }))).roots;
}

function policyOf(
  rules: ProcessRules | undefined,
  kept: readonly StoredRoot[],
  server: string | undefined,
): Policy {
  const { policy = {}, limited = true } = rules ?? {};
  const said = new Map(
    kept.map((root) => [root.name, toRootPermissions(permissionsFor(root, server))] as const),
  );
  return createStorePolicy({ policy, limited }, said);
}
