import type { Platform } from '../../path/platform.ts';
import { splitPath } from '../../path/split-path.ts';
import type { Directory, Driver } from '../system/driver.ts';

/** A directory on the way to a root: outside of all known roots, and reached without links. */
export interface PassedDirectory {
  /** The path that led there. */
  readonly path: string | undefined;
  /** Real names, and the identity of the directory of each. */
  readonly names: readonly string[];
  readonly identities: readonly string[];
}

/**
 * Holds the directory in which the last root was found, while several roots are opened. Roots often lie side by side:
 * the next one is found from there by one name, and not from the top of the file system. It is the same directory
 * that a walk from the top would have entered a moment ago.
 */
export class LastParent {
  readonly #driver: Driver;
  #passed: PassedDirectory | undefined;
  #directory: Directory | undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** Returns the directory at this path with its handle, which must not be closed. */
  at(path: string): (PassedDirectory & { readonly directory: Directory }) | undefined {
    if (this.#directory === undefined || this.#passed?.path !== path) return undefined;
    return { ...this.#passed, directory: this.#directory };
  }

  /** Replaces the directory, and opens it a second time: the handle stays the caller's. */
  keep(passed: PassedDirectory, directory: Directory): void {
    if (passed.path === undefined || this.#passed?.path === passed.path) return;
    this.close();
    this.#directory = this.#driver.duplicate(directory);
    this.#passed = passed;
  }

  close(): void {
    if (this.#directory !== undefined) this.#driver.close(this.#directory);
    this.#directory = undefined;
    this.#passed = undefined;
  }
}

/** Returns the path of the directory, and the last name; nothing for a path with `..`, or a relative one. */
export function splitLast(path: string, platform: Platform): readonly [parent?: string, name?: string] {
  const split = splitPath(path, platform);
  if ('fault' in split || split.prefix === '' || split.components.includes('..')) return [];
  const { prefix, components } = split;
  return [`${prefix}${components.slice(0, -1).join('/')}`, components.at(-1) ?? ''];
}
