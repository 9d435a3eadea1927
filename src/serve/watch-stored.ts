import { setTimeout } from 'node:timers/promises';
import type { RootStore } from '../client/store/root-store.ts';
import type { StoreWatch } from '../client/watch/store-watch.ts';
import type { RootIssue } from '../path/root-issue.ts';

export interface StoredEars {
  /** A root has vanished, come back, or been replaced. */
  readonly changed: () => void;
  readonly issue: (issue: RootIssue) => void;
}

/** Milliseconds in which the first answers are given: whoever serves begins to watch after them. */
const calm = 300;

/** Watches the places of stored roots, for as long as it is not closed. Nobody waits for it to begin. */
export function watchStored(store: RootStore, { changed, issue }: StoredEars): AsyncDisposable {
  const ending = new AbortController();
  const opening: Promise<StoreWatch | undefined> = setTimeout(calm, undefined, {
    ref: false,
    signal: ending.signal,
  })
    .then(async () => {
      const { watchStore } = await import('../client/watch/store-watch.ts');
      const watching = watchStore(store, { onChange: changed, onIssue: issue });
      // What happened before the first look was seen by nobody.
      void watching.watch.ready.then(changed);
      return watching;
    })
    .catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await (await opening)?.close();
    },
  };
}
