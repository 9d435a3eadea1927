import type { Operation } from '../boundary/step/operation.ts';
import type { StoredRoot, StoreSnapshot } from '../client/store/stored-root.ts';
import type { Root } from '../path/root.ts';
import type { OperatorWord } from '../server/settings/attach-options.ts';
import { possibleOperations } from './kit/instructions.ts';
import type { ServeSettings } from './settings/serve-settings.ts';
import { createStorePolicy } from '../policy/rules/store-policy.ts';
import { viewForServer } from '../client/expose/view-for-server.ts';

/** Puts a store into the words of an operator. */
export interface StoreSpeaker {
  /** `undefined` while there never was a root. */
  say(snapshot: StoreSnapshot): OperatorWord | undefined;
  /** What may be done somewhere, as far as it was said. */
  operations(): readonly Operation[];
  /** The disk is another: what was said has to be said anew, so that everybody looks again. */
  startle(): void;
}

/** Says the same for as long as nothing is different: neither the store, nor what time ends, nor the disk. */
export function createStoreSpeaker(
  settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>,
): StoreSpeaker {
  let known: { readonly snapshot: StoreSnapshot; readonly until: number } | undefined;
  let word: OperatorWord | undefined;
  return {
    say(snapshot) {
      const now = new Date();
      if (known?.snapshot === snapshot && now.getTime() < known.until) return word;
      known = { snapshot, until: nextEnd(snapshot, now) };
      if (word === undefined && snapshot.roots.length === 0) return undefined;
      const views = viewForServer(snapshot, settings.server, now);
      const shown = views.filter((view) => view.shown);
      const permissions = new Map(shown.map((view) => [view.root.name, view.permissions]));
      word = {
        revision: (word?.revision ?? 0) + 1,
        ceiling: shown.map(({ root }) => toRoot(root)),
        policy: createStorePolicy(settings, permissions),
        // A person who keeps it from this server means it, also where a client lists it.
        refused: views.filter((view) => !view.shown).map(({ root }) => toRoot(root)),
      };
      return word;
    },
    operations: () => (word === undefined ? [] : possibleOperations(word.policy)),
    startle() {
      known = undefined;
    },
  };
}

/** When the first answer of a person ends, in milliseconds. */
function nextEnd({ roots }: StoreSnapshot, now: Date): number {
  const ends = roots.flatMap(({ grants }) => grants.map(({ until }) => Date.parse(until ?? '')));
  return ends.filter((end) => end > now.getTime()).reduce((first, end) => Math.min(first, end), Infinity);
}

function toRoot({ uri, path, name, kind }: StoredRoot): Root {
  return { uri, path, name, kind };
}
