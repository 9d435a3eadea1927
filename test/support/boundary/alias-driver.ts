import { readdirSync, readFileSync } from 'node:fs';
import type { Directory, Driver, EntryName } from '../../../src/boundary/system/driver.ts';
import { procDriver } from '../../../src/boundary/system/proc-driver.ts';
import { looseKey, withoutTails } from '../../../src/path/loose-key.ts';
import { shortNames } from '../trees/short-names.ts';

/** What a model of a disk does with names. */
export interface AliasRules {
  /** Short names with a number (`GIT~1`), or the first one without (`GIT`), as FAT does with `nonumtail`. */
  readonly shortNames: 'numbered' | 'plain';
}

/**
 * A disk that knows more names for a file than it lists, over an ordinary directory: case and Unicode form do not
 * count, dots, spaces and streams at the end are cut, and each file has a short name. So FAT and NTFS can be tried on
 * every Linux; what the product does with the names is what it does on those disks.
 */
export function aliasDriver(rules: AliasRules): Driver {
  const real = (parent: Directory, name: EntryName): EntryName =>
    typeof name === 'string' ? findEntry(readdirSync(procDriver.self(parent)), name, rules) : name;
  return {
    ...procDriver,
    enter: (parent, name) => procDriver.enter(parent, real(parent, name)),
    pin: (parent, name) => procDriver.pin(parent, real(parent, name)),
    at: (parent, name) => procDriver.at(parent, real(parent, name)),
    isExact: () => false,
  };
}

/** The entry that a name leads to, or the name as it would be kept. */
function findEntry(entries: readonly string[], name: string, rules: AliasRules): string {
  if (entries.includes(name)) return name;
  const kept = withoutTails(name);
  const key = looseKey(kept);
  const alike = entries.find((entry) => looseKey(entry) === key);
  if (alike !== undefined) return alike;
  const byShort = shortNames(entries, rules.shortNames).find(([, short]) => looseKey(short) === key);
  return byShort?.[0] ?? kept;
}

/** What a path leads to for a driver alone, one name at a time; `undefined` if nothing. */
export function readThrough(driver: Driver, top: string, path: string): string | undefined {
  let current = driver.openTop(top);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  try {
    for (const name of names.slice(0, -1)) {
      const next = driver.enter(current, name);
      driver.close(current);
      current = next;
    }
    return readFileSync(driver.at(current, names.at(-1) ?? '.'), 'utf8');
  } catch {
    return undefined;
  } finally {
    driver.close(current);
  }
}
