import { mkdirSync, readlinkSync } from 'node:fs';
import { RootwardError } from '../../errors.ts';
import { climbs, splitPath } from '../../path/split-path.ts';
import type { Directory, Driver } from '../system/driver.ts';
import { isErrno, refusal, translate } from '../system/errno.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from './context.ts';

/** Returned by a last step to have a link followed. */
export class LinkFound {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A directory on the way is missing, and so is everything in it. */
export class WayMissing extends Error {
  /** Real names from the root as far as they exist, then the missing ones. */
  readonly relative: string;
  constructor(relative: string) {
    super('A directory on the way is missing');
    this.relative = relative;
  }
}

/** The place of the last step. */
export interface LastStep {
  readonly parent: Directory;
  /** One name, or `.` for the root itself. */
  readonly name: string;
  /** Real path from the root, joined by `/`; empty for the root itself. */
  readonly relative: string;
  /** The path was spelled as a directory, so it must be one. */
  readonly directory: boolean;
}

/** Above the needs of a reasonable tree, low enough to end quickly. */
const limits = { links: 40, steps: 20_000, looks: 32 } as const;

/**
 * Steps from the root to the last name of a path, one name at a time, and calls `last` with the open parent
 * and that name. This is the only way in which this room turns a path into something to act on; no function
 * returns a checked path.
 *
 * - Relative links are followed while they stay beneath the root; absolute ones are refused.
 * - `..` is resolved after links, by returning to the root and stepping down again: the kernel never sees it.
 * - A path that leaves the root is refused even if it comes back. Nothing outside is ever looked at.
 */
export function resolve<Result>(
  context: BoundaryContext,
  request: BoundaryRequest,
  last: (step: LastStep) => Result | LinkFound,
): Result {
  const walk = new NameWalk(context, request);
  try {
    return walk.run(last);
  } catch (error) {
    throw translate(error, request);
  } finally {
    walk.close();
  }
}

/** The state of one resolution. */
class NameWalk {
  readonly #context: BoundaryContext;
  readonly #request: BoundaryRequest;
  /** Remaining names, the next one at the end. */
  readonly #pending: string[];
  /** Real names from the root to `#current`; none is a link. */
  #names: string[] = [];
  /** `#names`, each followed by a slash. */
  #prefix = '';
  #current: Directory;
  #directory: boolean;
  #links = 0;
  #steps = 0;

  constructor(context: BoundaryContext, request: BoundaryRequest) {
    const { names, directory } = parseRelative(context, request.path);
    // Refuses before directories are created on a path that leaves the root.
    if (request.makeMissing === true && climbs(names)) throw outside(context, request);
    this.#context = context;
    this.#request = request;
    this.#pending = names.toReversed();
    this.#directory = directory;
    this.#current = context.top;
  }

  run<Result>(last: (step: LastStep) => Result | LinkFound): Result {
    for (;;) {
      this.#countStep();
      const name = this.#pending.pop();
      if (name === undefined) {
        if (this.#names.length === 0) return this.#atRoot(last);
        this.#restep(this.#names);
      } else if (name === '..') this.#climb();
      else if (this.#pending.length > 0) this.#enter(name);
      else {
        const result = this.#act(name, last);
        if (!(result instanceof LinkFound)) return result;
        this.#follow(name, result.text);
      }
    }
  }

  close(): void {
    if (this.#current !== this.#context.top) this.#context.driver.close(this.#current);
    this.#current = this.#context.top;
  }

  #act<Result>(asked: string, last: (step: LastStep) => Result): Result {
    const name = this.#listed(asked);
    const relative = this.#prefix + name;
    this.#visit(relative, true);
    return last({ parent: this.#current, name, relative, directory: this.#directory });
  }

  /** The path leads to the root itself: `.`, `a/..`, or a link to it. */
  #atRoot<Result>(last: (step: LastStep) => Result | LinkFound): Result {
    askWitness(this.#context, this.#request, '');
    const result = last({ parent: this.#context.top, name: '.', relative: '', directory: true });
    if (result instanceof LinkFound) throw this.#outside();
    return result;
  }

  /** Returns the listed name, which is both judged and opened. */
  #listed(asked: string): string {
    const { names } = this.#context;
    if (names === undefined) return asked;
    const name = names.nameIn(this.#current, asked);
    if (name === undefined) throw refusal('NOT_LISTED', this.#request);
    return name;
  }

  #visit(relative: string, last: boolean): void {
    const refusal = this.#context.guard?.(this.#request.operation, relative, last);
    if (refusal !== undefined) throw refusal;
  }

  #enter(asked: string): void {
    const name = this.#listed(asked);
    this.#visit(this.#prefix + name, false);
    for (let look = 0; look < limits.looks; look += 1) {
      const next = this.#tryEnter(name);
      if (next === 'again') continue;
      if (next instanceof LinkFound) return this.#follow(name, next.text);
      this.close();
      this.#current = next;
      this.#names.push(name);
      this.#prefix += `${name}/`;
      return this.#checkMount();
    }
    throw refusal('BUSY', this.#request);
  }

  #tryEnter(name: string): Directory | LinkFound | 'again' {
    const { driver } = this.#context;
    try {
      return driver.enter(this.#current, name);
    } catch (error) {
      if (isErrno(error, 'ENOTDIR', 'ELOOP', 'EMLINK'))
        return readLink(driver, this.#current, name) ?? this.#lookAgain(name);
      if (!isErrno(error, 'ENOENT')) throw error;
      if (this.#request.allowMissing === true && !this.#pending.includes('..'))
        throw new WayMissing(this.#prefix + [name, ...this.#pending.toReversed()].join('/'));
      if (this.#request.makeMissing !== true) throw error;
      this.#visit(this.#prefix + name, true);
      if (makeDirectory(driver, this.#current, name))
        this.#context.witness?.afterEffect({ kind: 'made', relative: this.#prefix + name });
      return 'again';
    }
  }

  /** It was neither a directory nor a link: either it has changed since, or it is something else. */
  #lookAgain(name: string): 'again' {
    const { driver } = this.#context;
    const pinned = driver.pin(this.#current, name);
    driver.close(pinned);
    if (pinned.stats.isDirectory() || pinned.stats.isSymbolicLink()) return 'again';
    throw refusal('NOT_A_DIRECTORY', this.#request);
  }

  #checkMount(): void {
    const { driver, mount } = this.#context;
    if (mount === undefined || driver.mountOf(this.#current) === mount) return;
    throw refusal('OTHER_MOUNT', this.#request);
  }

  #follow(name: string, text: string): void {
    if (this.#context.only !== undefined) throw this.#outside();
    this.#requireFollowed(name);
    this.#links += 1;
    if (this.#links > limits.links) throw refusal('TOO_MANY_LINKS', this.#request);
    const split = splitPath(text, this.#context.platform);
    if ('fault' in split) throw this.#outside();
    if (this.#pending.length === 0) this.#directory ||= split.directory;
    this.#pending.push(...(split.prefix === '' ? split.components : this.#reroot(split)).toReversed());
  }

  #requireFollowed(name: string): void {
    const reason = this.#context.links?.whyNot(this.#current, name, this.#pending.length === 0);
    const { verb, path } = this.#request;
    if (reason !== undefined) throw new RootwardError('LINK_NOT_FOLLOWED', { verb, path, reason });
  }

  /** Refuses an absolute link, unless it names a place beneath the root and `reroot` is set. */
  #reroot({ prefix, components }: { prefix: string; components: readonly string[] }): readonly string[] {
    const { spellings, reroot } = this.#context;
    for (const spelling of reroot ? spellings : []) {
      const top = splitPath(spelling, this.#context.platform);
      if ('fault' in top || top.prefix !== prefix) continue;
      if (!top.components.every((name, index) => name === components[index])) continue;
      this.#toTop();
      return components.slice(top.components.length);
    }
    throw this.#outside();
  }

  /**
   * Goes up one level by stepping down from the root again, because only the root is known to be beneath the
   * root.
   */
  #climb(): void {
    if (this.#names.length === 0) throw this.#outside();
    this.#restep(this.#names.slice(0, -1));
  }

  /** Steps down from the root again to a directory on the way: the parent, or the directory of a link. */
  #restep(names: readonly string[]): void {
    this.#directory ||= this.#pending.length === 0;
    this.#pending.push(...names.toReversed());
    this.#toTop();
  }

  #toTop(): void {
    this.close();
    this.#names = [];
    this.#prefix = '';
  }

  #countStep(): void {
    this.#steps += 1;
    if (this.#steps > limits.steps) throw refusal('NAME_TOO_LONG', this.#request);
  }

  #outside(): RootwardError<'OUTSIDE_ROOTS'> {
    return outside(this.#context, this.#request);
  }
}

function outside({ name }: BoundaryContext, { path }: BoundaryRequest): RootwardError<'OUTSIDE_ROOTS'> {
  return new RootwardError('OUTSIDE_ROOTS', { path, roots: [name] });
}

function parseRelative({ platform, name, only }: BoundaryContext, path: string): ParsedPath {
  const split = splitPath(path, platform);
  if ('fault' in split) throw new RootwardError('INVALID_PATH', { path, reason: split.fault });
  const { prefix, components, directory } = split;
  const isOnly = components.length === 0 || (components.length === 1 && components[0] === only);
  if (prefix !== '' || (only !== undefined && !isOnly)) {
    throw new RootwardError('OUTSIDE_ROOTS', { path, roots: [name] });
  }
  return only === undefined ? { names: components, directory } : { names: [only], directory: false };
}

interface ParsedPath {
  readonly names: readonly string[];
  readonly directory: boolean;
}

/** Whether this call created it. */
function makeDirectory(driver: Driver, parent: Directory, name: string): boolean {
  try {
    mkdirSync(driver.at(parent, name));
    return true;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    return false;
  }
}

/**
 * Reads a link, or returns `undefined` if the entry is not a link. A target that is not UTF-8 becomes an
 * invalid path.
 */
export function readLink(driver: Driver, parent: Directory, name: string): LinkFound | undefined {
  try {
    const bytes = readlinkSync(driver.at(parent, name), 'buffer');
    const text = bytes.toString('utf8');
    return new LinkFound(Buffer.from(text, 'utf8').equals(bytes) ? text : '\0');
  } catch (error) {
    if (isErrno(error, 'EINVAL')) return undefined;
    throw error;
  }
}
