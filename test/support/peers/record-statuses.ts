import { pathToFileURL } from 'node:url';
import type { RootStatus } from '../../../src/client/watch/liveness.ts';
import type { ContentChange } from '../../../src/client/watch/root-content.ts';
import type { RootWatch, WatchRootsOptions } from '../../../src/client/watch/watch-contract.ts';
import { watchRoots } from '../../../src/client/watch/watch-roots.ts';
import type { RootIssue } from '../../../src/path/root-issue.ts';
import { parseRoots, type Root } from '../../../src/path/root.ts';

export function rootsAt(...paths: readonly string[]): readonly Root[] {
  return parseRoots(paths.map((path) => ({ uri: pathToFileURL(path).href }))).roots;
}

/** Whatever a watch tells, in order, and a way to wait for what has not come yet. */
export class Recording {
  readonly statuses: RootStatus[] = [];
  readonly issues: RootIssue[] = [];
  readonly contents: ContentChange[] = [];
  readonly #wake: (() => void)[] = [];

  /** Records one more thing. */
  readonly add = <Item>(list: Item[], item: Item): void => {
    list.push(item);
    this.#wakeAll();
  };

  /** Waits until anything is told, but not for long: maybe there is nothing to tell. */
  async next(): Promise<void> {
    const timer = setTimeout(() => this.#wakeAll(), 50);
    await new Promise<void>((resolve) => void this.#wake.push(resolve));
    clearTimeout(timer);
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Waits until a list holds something like that; fails with what it holds if it does not come. */
  async until<Item>(list: readonly Item[], isWanted: (item: Item) => boolean): Promise<Item> {
    const late = AbortSignal.timeout(30_000);
    late.addEventListener('abort', () => this.#wakeAll(), { once: true });
    for (;;) {
      const found = list.find(isWanted);
      if (found !== undefined) return found;
      if (late.aborted) throw new Error(`it did not come, but: ${JSON.stringify(list)}`);
      await new Promise<void>((resolve) => void this.#wake.push(resolve));
    }
  }

  /** Waits for a state of the only root that comes after what was told before. */
  state(state: RootStatus['state'], path?: string): Promise<RootStatus> {
    return this.until(
      this.statuses,
      (status) => status.state === state && (path === undefined || status.root.path === path),
    );
  }

  /** Forgets what came, so that the next wait is for something new. */
  clear(): void {
    this.statuses.length = 0;
    this.issues.length = 0;
    this.contents.length = 0;
  }
}

export interface Recorded extends AsyncDisposable {
  readonly watch: RootWatch;
  readonly record: Recording;
}

/** Watches real roots, quickly, and records what is told. Ready when it returns. */
export async function recordStatuses(
  paths: readonly string[],
  options: WatchRootsOptions = {},
): Promise<Recorded> {
  const record = new Recording();
  const watch = watchRoots(rootsAt(...paths), {
    settleMilliseconds: 20,
    mountMilliseconds: 50,
    pollMilliseconds: 50,
    onChange: (status) => record.add(record.statuses, status),
    onIssue: (issue) => record.add(record.issues, issue),
    ...options,
  });
  await watch.ready;
  return { watch, record, [Symbol.asyncDispose]: () => watch.close() };
}
