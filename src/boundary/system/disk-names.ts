import { fstatSync, lstatSync, opendirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../../path/inside.ts';
import { looseKey, withoutTails } from '../../path/loose-key.ts';
import type { Directory, Driver } from './driver.ts';
import { isErrno } from './errno.ts';
import { identityIn } from './file-info.ts';
import { createMountView, type MountLine, type MountView } from './mount-table.ts';

/**
 * File systems of Linux that open a file only under the name that its directory lists (some ignore case or
 * Unicode form), with their `statfs` numbers. All others may know more names for a file than they list: FAT,
 * NTFS, SMB, Windows drives in WSL, and FUSE.
 */
const exactDisks = {
  ext2: 0xef53,
  ext3: 0xef53,
  ext4: 0xef53,
  xfs: 0x58465342,
  btrfs: 0x9123683e,
  bcachefs: 0xca451a4e,
  zfs: 0x2fc12fc1,
  f2fs: 0xf2f52010,
  overlay: 0x794c7630,
  tmpfs: 0x01021994,
  ramfs: 0x858458f6,
  devtmpfs: 0x01021994,
  squashfs: 0x73717368,
  erofs: 0xe0f5e1e2,
  proc: 0x9fa0,
  sysfs: 0x62656572,
  cgroup2: 0x63677270,
  mqueue: 0x19800202,
  devpts: 0x1cd1,
  // Their servers usually keep files on such disks.
  nfs: 0x6969,
  nfs4: 0x6969,
  ceph: 0x00c36400,
  lustre: 0x0bd00bd0,
} as const;

const exactTypes: ReadonlySet<string> = new Set(Object.keys(exactDisks));
const exactNumbers: ReadonlySet<number> = new Set(Object.values(exactDisks));

/** Whether the file system with this number opens files only under listed names. */
export function isExactDisk(number: number): boolean {
  return exactNumbers.has(number);
}

/** Finds the name under which a directory lists an entry. */
export interface DiskNames {
  /**
   * Returns the name to judge and to open: the given one if nothing is there yet, or if the disk has no other
   * names; `undefined` if the entry exists but the directory does not list it.
   *
   * @throws the system's error if the directory cannot be listed
   */
  nameIn(parent: Directory, name: string): string | undefined;
}

/**
 * Creates the names of one boundary. On a disk like FAT or NTFS, `CREDEN~1.JSO` opens `credentials.json`, and
 * `.git.` opens `.git`, so rules would judge the wrong name. The listed name therefore replaces the given one
 * before any rule is checked and before anything is opened. On ordinary disks this is known at the top and
 * costs nothing on the way.
 *
 * Not guaranteed: the first second after a disk was mounted within the root. Where the driver cannot tell
 * disks apart (not on Linux), only names with a `~` are looked up.
 */
export function createDiskNames(
  driver: Driver,
  { top, real }: { readonly top: Directory; readonly real: string },
  mounts: MountView = createMountView(),
): DiskNames {
  const topIsExact = driver.isExact(top);
  const finder = new ListedNameFinder(driver);
  let seen: { readonly lines: readonly MountLine[]; readonly allExact: boolean } | undefined;
  const allExact = (): boolean => {
    const lines = mounts();
    if (lines === undefined) return false;
    if (seen?.lines !== lines) seen = { lines, allExact: !lines.some((line) => isInexactWithin(real, line)) };
    return seen.allExact;
  };
  return {
    nameIn(parent, name) {
      if (topIsExact === true && allExact()) return name;
      const isExact = driver.isExact(parent);
      if (isExact ?? !name.includes('~')) return name;
      return finder.find(parent, name);
    },
  };
}

function isInexactWithin(real: string, { point, type }: MountLine): boolean {
  return type !== undefined && !exactTypes.has(type) && isInside(real, point, { platform: 'posix' });
}

/** Finds one listed name, without a cache. An entry that is not listed keeps its given name. */
export function listedName(driver: Driver, parent: Directory, name: string): string {
  if (driver.isExact(parent) ?? !name.includes('~')) return name;
  return new ListedNameFinder(driver).find(parent, name) ?? name;
}

/** The names of one directory at one moment. */
interface NameListing {
  /** Changes when the directory changes. */
  readonly version: string;
  readonly at: number;
  readonly names: ReadonlySet<string>;
}

/** Milliseconds. The clock of FAT ticks every two seconds; two changes within one tick look the same. */
const settling = 3_000;
/** Milliseconds. Some disks never update the times of a directory. */
const longest = 10_000;
/** Limit of cached names, over all directories. */
const mostKept = 200_000;
/** Limit of names that are read from one directory. */
const mostNames = 100_000;

class ListedNameFinder {
  readonly #driver: Driver;
  readonly #known = new Map<string, NameListing>();
  #kept = 0;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  find(parent: Directory, name: string): string | undefined {
    // A short name can belong to another file a moment later, so it is not cached.
    if (!name.includes('~') && this.#knownNames(parent)?.has(name) === true) return name;
    const identity = this.#identityOf(parent, name);
    const names = this.#list(parent);
    if (identity === undefined) return unescapeName(name);
    return chooseListed(name, names, (listed) => this.#identityOf(parent, listed) === identity);
  }

  #knownNames(parent: Directory): ReadonlySet<string> | undefined {
    const { identity, version } = look(parent);
    const known = this.#known.get(identity);
    if (known?.version !== version || performance.now() - known.at > longest) return undefined;
    return known.names;
  }

  #list(parent: Directory): ReadonlySet<string> {
    const { identity, version, changed } = look(parent);
    const names = readNames(this.#driver.self(parent));
    this.#kept -= this.#known.get(identity)?.names.size ?? 0;
    this.#known.delete(identity);
    if (Date.now() - changed < settling) return names;
    this.#kept += names.size;
    if (this.#kept > mostKept) {
      this.#known.clear();
      this.#kept = names.size;
    }
    this.#known.set(identity, { version, at: performance.now(), names });
    return names;
  }

  #identityOf(parent: Directory, name: string): string | undefined {
    return identityAt(this.#driver.at(parent, name));
  }
}

/**
 * Returns the name that a new file gets. With `uni_xlate`, FAT takes `:002eenv` for `.env`. The decoded name
 * is used on every such disk, so that rules see it.
 */
function unescapeName(name: string): string {
  const plain = name.replaceAll(/:([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
  return /[\0/]/.test(plain) || plain === '.' || plain === '..' || !plain.isWellFormed() ? name : plain;
}

/** Returns `undefined` if nothing exists at the path, or nothing can. */
function identityAt(path: string | Buffer): string | undefined {
  try {
    return identityIn(lstatSync(path, { bigint: true }));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EINVAL', 'EILSEQ', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}

/**
 * Finds the listed name of an entry that exists under another name. Compares spellings first, because some
 * disks give a file a new number for each name. Returns `undefined` if there is no single match.
 */
function chooseListed(
  asked: string,
  names: ReadonlySet<string>,
  isSame: (listed: string) => boolean,
): string | undefined {
  if (names.has(asked)) return asked;
  const key = spellingKey(asked);
  const alike = [...names].filter((listed) => spellingKey(listed) === key);
  if (alike.length === 1) return alike[0];
  const same = (alike.length > 0 ? alike : [...names]).filter(isSame);
  return same.length === 1 ? same[0] : undefined;
}

/**
 * Replaces each name of a path without links by its listed name, for comparing paths. Names that cannot be
 * looked up stay as they are.
 */
export function listedPath(path: string): string {
  let at = '/';
  for (const name of path.split('/').filter((part) => part !== '')) at = join(at, listedIn(at, name));
  return at;
}

function listedIn(directory: string, name: string): string {
  try {
    if (isExactDisk(statfsSync(directory).type)) return name;
    const identity = identityAt(join(directory, name));
    if (identity === undefined) return name;
    const isSame = (listed: string): boolean => identityAt(join(directory, listed)) === identity;
    return chooseListed(name, readNames(directory), isSame) ?? name;
  } catch (error) {
    if (isErrno(error)) return name;
    throw error;
  }
}

/** Names with the same key are one file on some disk. */
function spellingKey(name: string): string {
  return looseKey(withoutTails(name));
}

function look({ fd }: Directory): { identity: string; version: string; changed: number } {
  const stats = fstatSync(fd, { bigint: true });
  const { mtimeNs, ctimeNs, mtimeMs, ctimeMs } = stats;
  const changed = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return { identity: identityIn(stats), version: `${mtimeNs}:${ctimeNs}`, changed };
}

/** Stops at a limit: names beyond it count as not listed. */
function readNames(directory: string): ReadonlySet<string> {
  const names = new Set<string>();
  const listing = opendirSync(directory, { bufferSize: 1_024 });
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      names.add(entry.name);
      if (names.size === mostNames) break;
    }
    return names;
  } finally {
    listing.closeSync();
  }
}
