import type { Operation } from '../boundary/operation.ts';
import { judgeExposure } from '../client/exposure.ts';
import { openRootStore } from '../client/open-root-store.ts';
import { rootPermissionsFor } from '../client/permissions-for.ts';
import type { RootStore } from '../client/root-store.ts';
import { identifyServer, type ServerIdentity } from '../client/server-identity.ts';
import type { StoredRoot, StoreSnapshot } from '../client/stored-root.ts';
import { RootwardError } from '../errors.ts';
import type { Root } from '../path/root.ts';
import type { OperatorWord } from '../server/attach-options.ts';
import { possibleOperations } from '../tools/ready/instructions.ts';
import type { CliContext } from './command-context.ts';
import { ownStoreFile } from './own-store-file.ts';
import type { ServeSettings } from './serve-settings.ts';
import { createStorePolicy } from './store-policy.ts';

/** The store of a person as the word of an operator. */
export interface FollowedStore extends AsyncDisposable {
  /** What the store says now; `undefined` while there never was a root in it. */
  readonly operator: () => Promise<OperatorWord | undefined>;
  /** What may be done somewhere in the stored roots, as far as it was heard. */
  readonly operations: () => readonly Operation[];
}

/**
 * Opens the store and follows it: what a person adds counts at the next call, what they take away is gone by
 * then. A store that becomes empty meanwhile leaves nothing, and not the project that would be found without it.
 *
 * @throws {RootwardError} `STORE_DAMAGED`, `STORE_TOO_NEW`
 */
export async function followStore(
  context: CliContext,
  settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>,
): Promise<FollowedStore> {
  const store = await openIfPossible(ownStoreFile(context));
  if (store === undefined) return noStore;
  const speaker = createSpeaker(settings);
  speaker.say(store.snapshot());
  return {
    operator: () => askStore(store, speaker),
    operations: () => speaker.operations(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** Somebody without a home, as in a container, has no store, and never will. */
const noStore: FollowedStore = {
  operator: () => Promise.resolve(undefined),
  operations: () => [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

async function openIfPossible(file: string): Promise<RootStore | undefined> {
  try {
    return await openRootStore({ file });
  } catch (error) {
    if (RootwardError.is(error, 'NOT_A_DIRECTORY')) return undefined;
    throw error;
  }
}

/** The system tells of changes, but not always before the next call. */
async function askStore(store: RootStore, speaker: Speaker): Promise<OperatorWord | undefined> {
  return speaker.say(await store.refresh());
}

interface Speaker {
  say(snapshot: StoreSnapshot): OperatorWord | undefined;
  operations(): readonly Operation[];
}

/** Says the same for as long as nothing is different: neither the store, nor what time ends. */
function createSpeaker(settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>): Speaker {
  // Which program the host of a server starts it by, a server cannot know.
  const server = identifyServer({ name: settings.server, tier: 'stdio' });
  let known: { readonly snapshot: StoreSnapshot; readonly until: number } | undefined;
  let word: OperatorWord | undefined;
  return {
    say(snapshot) {
      const now = new Date();
      if (known?.snapshot === snapshot && now.getTime() < known.until) return word;
      known = { snapshot, until: nextEnd(snapshot, now) };
      if (word === undefined && snapshot.roots.length === 0) return undefined;
      const shown = shownRoots(snapshot, server, now);
      const permissions = new Map(shown.map((root) => [root.name, rootPermissionsFor(root, server, now)]));
      const policy = createStorePolicy(settings, permissions);
      word = { revision: (word?.revision ?? 0) + 1, ceiling: shown.map(toRoot), policy };
      return word;
    },
    operations: () => (word === undefined ? [] : possibleOperations(word.policy)),
  };
}

function shownRoots(snapshot: StoreSnapshot, server: ServerIdentity, now: Date): readonly StoredRoot[] {
  const context = { server, snapshot, answers: new Map(), askFor: [], remote: 'none', now } as const;
  return snapshot.roots
    .map(forAnyProgram)
    .filter((root) => judgeExposure(root, { ...context, isUsable: () => true }).state === 'shown');
}

/** A no to whatever went by the name is a no. */
function forAnyProgram(root: StoredRoot): StoredRoot {
  return { ...root, grants: root.grants.map(({ fingerprint: _any, ...grant }) => grant) };
}

/** When the first answer of a person ends, in milliseconds. */
function nextEnd({ roots }: StoreSnapshot, now: Date): number {
  const ends = roots.flatMap(({ grants }) => grants.map(({ until }) => Date.parse(until ?? '')));
  return ends.filter((end) => end > now.getTime()).reduce((first, end) => Math.min(first, end), Infinity);
}

function toRoot({ uri, path, name, kind }: StoredRoot): Root {
  return { uri, path, name, kind };
}
