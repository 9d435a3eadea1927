import type { AuditSink } from '../audit/sink.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { openRootStore } from '../client/store/open-root-store.ts';
import type { RootStore } from '../client/store/root-store.ts';
import { RootwardError } from '../errors.ts';
import type { OperatorWord } from '../server/settings/attach-options.ts';
import type { CliContext } from './settings/process-context.ts';
import type { Records } from './open-records.ts';
import { ownStoreFile } from './settings/own-store-file.ts';
import type { ServeSettings } from './settings/serve-settings.ts';
import { createStoreSpeaker } from './store-speaker.ts';
import { tellDamage } from './tell-damage.ts';
import { watchStored } from './watch-stored.ts';

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
 * Roots that vanish are withdrawn, and come back. What a person keeps from this server stays away from it,
 * whoever lists it; a root that is removed is one that the store has nothing to say about.
 *
 * @throws {RootwardError} `STORE_DAMAGED`, `STORE_TOO_NEW`
 */
export async function followStore(
  context: CliContext,
  settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>,
  { audit, log }: Pick<Records, 'audit' | 'log'>,
): Promise<FollowedStore> {
  const store = await openIfPossible(ownStoreFile(context), audit);
  if (store === undefined) return noStore;
  const speaker = createStoreSpeaker(settings);
  speaker.say(store.snapshot());
  tellDamage(store, { stderr: context.process.stderr, log });
  const watching = watchStored(store, {
    changed: () => speaker.startle(),
    issue: ({ code, message, hint }) => log({ kind: 'watch', code, message, hint }),
  });
  return {
    // The system tells of changes, but not always before the next call.
    operator: async () => speaker.say(await store.refresh()),
    operations: () => speaker.operations(),
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

/** Somebody without a home, as in a container, has no store, and never will. */
const noStore: FollowedStore = {
  operator: () => Promise.resolve(undefined),
  operations: () => [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

async function openIfPossible(file: string, audit: AuditSink): Promise<RootStore | undefined> {
  try {
    return await openRootStore({ file, audit, caller: 'rootward serve' });
  } catch (error) {
    if (RootwardError.is(error, 'NOT_A_DIRECTORY')) return undefined;
    throw error;
  }
}
