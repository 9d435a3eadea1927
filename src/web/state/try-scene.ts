import { permissionsFor, toPolicyConfig } from '../../client/store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../../client/store/stored-root.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { createStorePolicy } from '../../policy/rules/narrow.ts';
import { parsePolicy, type Policy } from '../../policy/rules/policy.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { AnnouncedProcess, ConnectionView, ProcessRules } from '../wire/wire.ts';

/** The setting of a trial: the roots that a server would see and the rules that would apply. */
export interface TryScene {
  readonly roots: readonly Root[];
  readonly policy: Policy;
  /** The directory that relative paths start at; without it they are refused. */
  readonly from?: string;
  /** The server that sees only some of the roots. */
  readonly limitedTo?: string;
}

export interface TryCaller {
  /** The server to try as; without it, any server that has no permissions of its own. */
  readonly server?: string | undefined;
  /** The running process to try as, with its rules. */
  readonly process?: AnnouncedProcess | undefined;
  /** The client of that process; by default the first. */
  readonly connection?: string | undefined;
  /** The root that relative paths start at, by name or path. */
  readonly root?: string | undefined;
}

/** Builds the scene from a running server's rules, or from the store for any server. */
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

/** A single root is the project. With several roots the project is not known, so relative paths have no start. */
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

/** The roots that a server may see: those it is limited to, or all. */
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

/** The roots of a client, by name and place. */
function rootsOf({ roots, places }: ConnectionView): readonly Root[] {
  return parseRoots(places.map((uri, at) => ({ uri, name: roots[at] }))).roots;
}

function policyOf(
  rules: ProcessRules | undefined,
  kept: readonly StoredRoot[],
  server: string | undefined,
): Policy {
  const { policy = {}, limited = true } = rules ?? {};
  const permissions = new Map(
    kept.map((root) => [root.name, toRootPermissions(permissionsFor(root, server))] as const),
  );
  return createStorePolicy({ policy, limited }, permissions);
}
