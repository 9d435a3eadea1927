import type { PlaceLook } from '../../boundary/look/look-at.ts';
import { type ContentWatch, watchContent } from '../../boundary/look/watch-places.ts';
import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import { prunedDirectories } from '../../workspace/project/pruned-directories.ts';

/** Changes in a root, reported when it has been quiet for a moment. */
export interface ContentChange {
  readonly root: Root;
  /** Relative, with `/` as separator; empty for the root itself. Each path once. */
  readonly paths: readonly string[];
  /** Whether the list is complete; otherwise look at everything again. */
  readonly complete: boolean;
}

export interface ContentOptions {
  readonly onContent: (change: ContentChange) => void;
  /** Globs relative to a root that are neither watched nor reported. */
  readonly ignore?: readonly string[];
  /** Names that are neither watched nor reported at any depth, instead of `prunedDirectories`. */
  readonly prune?: readonly string[];
  /** Quiet time before a report; 200 milliseconds by default. A report comes after ten times that at the latest. */
  readonly quietMilliseconds?: number;
  /** Maximum number of paths in one report; 1,000 by default. */
  readonly paths?: number;
  /** Polls at this interval instead, for file systems without events: NFS, parts of WSL. */
  readonly pollMilliseconds?: number;
}

/** Tells whether to ignore a path, relative to its root. */
export type IgnoreTest = (path: string) => boolean;

/** @throws {RootwardError} `INVALID_GLOB` */
export function createIgnoreTest({ ignore = [], prune = prunedDirectories }: ContentOptions): IgnoreTest {
  const globs = compileGlobs(ignore, { platform: hostPlatform });
  const pruned = new Set(prune);
  // Called from the top down, so the directories above a path were tested before.
  return (path) => pruned.has(path.slice(path.lastIndexOf('/') + 1)) || globs.match(path) !== undefined;
}

export interface RootContentOptions extends ContentOptions {
  readonly ignored: IgnoreTest;
  readonly onIssue: (issue: RootIssue) => void;
}

const defaultQuiet = 200;
const patience = 10;

/** Watches the content of one root until it is closed. */
export class RootContent {
  readonly #root: Root;
  readonly #options: RootContentOptions;
  readonly #paths = new Set<string>();
  #watch: ContentWatch | undefined;
  #complete = true;
  #closed = false;
  #quiet: NodeJS.Timeout | undefined;
  #latest: NodeJS.Timeout | undefined;
  /** Resolves once all existing content is watched. */
  readonly ready: Promise<void>;

  /** Watches the real path of the root. */
  constructor(root: Root, place: Pick<PlaceLook, 'real' | 'kind'>, options: RootContentOptions) {
    this.#root = root;
    this.#options = options;
    this.ready = this.#start(place);
  }

  close(): void {
    this.#closed = true;
    this.#watch?.close();
    clearTimeout(this.#quiet);
    clearTimeout(this.#latest);
  }

  async #start({ real, kind }: Pick<PlaceLook, 'real' | 'kind'>): Promise<void> {
    const { ignored, pollMilliseconds: poll, onIssue } = this.#options;
    const onChange = (path: string): void => this.#add(path);
    const watch = await watchContent(real, { kind, onChange, ignored, poll });
    if (this.#closed) return watch.close();
    this.#watch = watch;
    await watch.ready;
    if (this.#closed || poll !== undefined || !watch.isPolling) return;
    onIssue(createRootIssue('polled', this.#root.uri));
  }

  #add(path: string): void {
    const { paths: most = 1_000, quietMilliseconds = defaultQuiet } = this.#options;
    if (this.#paths.size < most) this.#paths.add(path);
    else if (!this.#paths.has(path)) this.#complete = false;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#flush(), quietMilliseconds);
    this.#latest ??= setTimeout(() => this.#flush(), quietMilliseconds * patience);
  }

  #flush(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#latest);
    this.#latest = undefined;
    const change = { root: this.#root, paths: [...this.#paths], complete: this.#complete };
    this.#paths.clear();
    this.#complete = true;
    this.#options.onContent(change);
  }
}
