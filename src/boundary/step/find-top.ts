import { RootwardError } from '../../errors.ts';
import type { Platform } from '../../path/platform.ts';
import { splitPath } from '../../path/split-path.ts';
import { listedName } from '../system/disk-names.ts';
import type { Directory, Driver, PinnedEntry } from '../system/driver.ts';
import { errnoError, isErrno } from '../system/errno.ts';
import { kindOf } from '../system/file-info.ts';
import { createLinkRules } from '../system/link-rules.ts';
import type { KnownTops } from './context.ts';
import { type LastParent, splitLast } from './last-parent.ts';
import { readLink } from './resolve.ts';

/** The root that another root lies in, and the real path from there. */
export interface HoldingRoot {
  /** The path that it was named by. */
  readonly path: string;
  /** With `/` between names; empty for the root itself. */
  readonly relative: string;
}

/** The handle of a root to open, and what was met on the way there. */
export interface FoundTop {
  /** The directory, or the one that contains the file. The caller closes it. */
  readonly top: Directory;
  readonly only: string | undefined;
  /** Identity of `top`. */
  readonly identity: string;
  /** The innermost root that contains it. */
  readonly holder: HoldingRoot | undefined;
  /** Identities of the directories beneath the outermost root on the way, including `top`. */
  readonly inside: readonly string[];
}

/** The path does not exist. `holder` still describes where it would lie. */
export interface MissingTop {
  readonly missing: Error;
  readonly holder: HoldingRoot | undefined;
}

export interface FindTopOptions {
  readonly platform: Platform;
  /** Roots that the path must not leave once it leads through them. */
  readonly tops: KnownTops;
  /** The path as the caller wrote it, for messages. */
  readonly given?: string;
  /** Shared by the roots that are opened together. */
  readonly lastParent?: LastParent;
}

/**
 * Follows an absolute path by handles, one name at a time, including links. Outside of known roots, the
 * author of the path is trusted. From the first known root on, every process that can write there controls
 * the path, so a link must not lead out of a root that the path has entered: `OUTSIDE_ROOTS`.
 *
 * Outside of such a root, only the directories that lead to it are looked at. Not detected: a directory that
 * is mounted at a second place and entered below the root that holds it.
 */
export function findTop(driver: Driver, path: string, options: FindTopOptions): FoundTop | MissingTop {
  const walk = new TopWalk(driver, path, options);
  try {
    return walk.run();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    return { missing: error, holder: walk.holder() };
  } finally {
    walk.close();
  }
}

/** The kernel's limit of links, and more names than a reasonable path has. */
const limits = { links: 40, steps: 20_000 } as const;

class TopWalk {
  readonly #driver: Driver;
  readonly #path: string;
  readonly #given: string;
  readonly #options: FindTopOptions;
  /** Remaining names, the next one at the end. */
  readonly #pending: string[] = [];
  /** Real names of `#current`; the first one is the prefix of the path. */
  #names: readonly string[] = [];
  /** The identity of the directory of each name. */
  #identities: readonly string[] = [];
  #current: Directory | undefined;
  /** Whether `#current` belongs to `lastParent`, which closes it. */
  #isLent = false;
  /** Real names and identity of the innermost known root that was entered. */
  #floor: { readonly names: readonly string[]; readonly identity: string } | undefined;
  #links = 0;
  #steps = 0;

  constructor(driver: Driver, path: string, options: FindTopOptions) {
    this.#driver = driver;
    this.#path = path;
    this.#given = options.given ?? path;
    this.#options = options;
  }

  run(): FoundTop {
    if (!this.#startBeside()) this.#follow(this.#path);
    for (;;) {
      this.#steps += 1;
      if (this.#steps > limits.steps) throw errnoError('ENAMETOOLONG');
      const name = this.#pending.at(-1);
      const found = name === undefined ? this.#found(undefined) : this.#step(name);
      if (found !== undefined) return found;
    }
  }

  close(): void {
    if (this.#current !== undefined && !this.#isLent) this.#driver.close(this.#current);
    this.#current = undefined;
    this.#isLent = false;
  }

  /** Describes the position of the path, as far as it is known, from the innermost root on its way. */
  holder(): HoldingRoot | undefined {
    if (this.#floor === undefined) return undefined;
    const { names, identity } = this.#floor;
    const rest = [...this.#names, ...this.#pending.toReversed()].slice(names.length);
    return { path: this.#options.tops.get(identity) ?? '', relative: rest.join('/') };
  }

  /** Starts in the directory of the last root, if this one lies there too. */
  #startBeside(): boolean {
    const { lastParent, platform } = this.#options;
    const [parent, name] = lastParent === undefined ? [] : splitLast(this.#path, platform);
    const passed = parent === undefined ? undefined : lastParent?.at(parent);
    if (passed === undefined || name === undefined) return false;
    this.#current = passed.directory;
    this.#isLent = true;
    this.#names = passed.names;
    this.#identities = passed.identities;
    this.#pending.push(name);
    return true;
  }

  /** A walk through links or known roots is not shortened for others. */
  #keepParent(): void {
    const { lastParent, tops, platform } = this.#options;
    const isPlain = this.#links === 0 && this.#floor === undefined && this.#pending.length === 1;
    if (lastParent === undefined || !isPlain || this.#identities.some((one) => tops.has(one))) return;
    const [path] = splitLast(this.#path, platform);
    lastParent.keep({ path, names: this.#names, identities: this.#identities }, this.#here());
  }

  /** Processes the next name; returns the result if it was the last one. */
  #step(asked: string): FoundTop | undefined {
    if (asked === '..') return this.#climb();
    this.#keepParent();
    const name = listedName(this.#driver, this.#here(), asked);
    const names = [...this.#names, name];
    this.#requireAgreement(names);
    const pinned = this.#driver.pin(this.#here(), name);
    this.#pending.pop();
    if (pinned.stats.isDirectory()) return this.#enter(pinned, names);
    this.#driver.close(pinned);
    if (!pinned.stats.isSymbolicLink()) return this.#endAtFile(pinned, name);
    const link = readLink(this.#driver, this.#here(), name);
    // No longer a link: check it again.
    if (link === undefined) this.#pending.push(name);
    else this.#followLink(name, link.text);
    return undefined;
  }

  /** Requires that the names lead to the entered root, or lie in it. */
  #requireAgreement(names: readonly string[]): void {
    const { names: floor = [] } = this.#floor ?? {};
    if (!names.every((name, index) => index >= floor.length || name === floor[index])) throw this.#leaves();
  }

  #enter(directory: Directory, names: readonly string[]): undefined {
    this.close();
    this.#current = directory;
    this.#names = names;
    const identity = this.#driver.identityOf(directory);
    this.#identities = [...this.#identities, identity];
    // The end of the path is the new root itself, not a root on the way.
    const isDeeper = this.#pending.length > 0 && names.length > (this.#floor?.names.length ?? 0);
    if (isDeeper && this.#options.tops.has(identity)) this.#floor = { names, identity };
  }

  #climb(): undefined {
    this.#pending.pop();
    // The parent of the file system's top is the top itself.
    const above = this.#names.length === 1 ? this.#names : this.#names.slice(0, -1);
    if (this.#floor !== undefined && above.length < this.#floor.names.length) throw this.#leaves();
    const [prefix = '', ...names] = above;
    this.#restart(prefix, names);
  }

  #followLink(name: string, text: string): void {
    const rules = createLinkRules(this.#driver);
    if (rules.whyNot(this.#here(), name, this.#pending.length === 0) !== undefined)
      throw errnoError('EACCES');
    this.#links += 1;
    if (this.#links > limits.links) throw errnoError('ELOOP');
    this.#follow(text);
  }

  #follow(text: string): void {
    const split = splitPath(text, this.#options.platform);
    if ('fault' in split) throw errnoError('ENOENT');
    const { prefix, components } = split;
    if (prefix === '') this.#pending.push(...components.toReversed());
    else this.#restart(prefix, components);
  }

  #restart(prefix: string, names: readonly string[]): void {
    this.#requireAgreement([prefix]);
    this.#pending.push(...names.toReversed());
    this.#identities = [];
    this.#enter(this.#driver.openTop(prefix), [prefix]);
  }

  /** A file is reached through its directory, and nothing else in that directory is reachable. */
  #endAtFile({ stats }: PinnedEntry, name: string): FoundTop {
    if (this.#pending.length > 0) throw errnoError('ENOTDIR');
    if (!stats.isFile())
      throw new RootwardError('SPECIAL_FILE', { verb: 'open', path: this.#given, kind: kindOf(stats) });
    return this.#found(name);
  }

  #found(only: string | undefined): FoundTop {
    if (this.#names.length < (this.#floor?.names.length ?? 0)) throw this.#leaves();
    const outermost = this.#identities.findIndex((identity) => this.#options.tops.has(identity));
    const inside = outermost === -1 ? [] : this.#identities.slice(outermost + 1);
    const identity = this.#identities.at(-1) ?? '';
    if (only !== undefined) this.#names = [...this.#names, only];
    return { top: this.#handOver(), only, identity, holder: this.holder(), inside };
  }

  /** Returns the handle for the caller to close. */
  #handOver(): Directory {
    const here = this.#here();
    if (this.#isLent) return this.#driver.duplicate(here);
    this.#current = undefined;
    return here;
  }

  #here(): Directory {
    if (this.#current === undefined) throw new Error('nothing is held');
    return this.#current;
  }

  #leaves(): RootwardError<'OUTSIDE_ROOTS'> {
    const top = this.#floor && this.#options.tops.get(this.#floor.identity);
    return new RootwardError('OUTSIDE_ROOTS', { path: this.#given, roots: top === undefined ? [] : [top] });
  }
}
