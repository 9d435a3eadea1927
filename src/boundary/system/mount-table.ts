import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createRootIndex } from '../../path/root-index.ts';
import { isErrno } from './errno.ts';

/** A mounted file system. */
export interface MountPoint {
  readonly point: string;
  /** Distinguishes it from another one that is mounted there later. */
  readonly device: string;
}

/** One line of `/proc/self/mountinfo`. */
export interface MountLine {
  /** The mount id, as in `fdinfo` of handles. */
  readonly id: string;
  readonly point: string;
  readonly device: string;
  readonly options: readonly string[];
  /** The kernel's name of the type: `ext4`, `vfat`, `fuse.sshfs`. */
  readonly type: string | undefined;
}

/** The mounts at one moment. */
export interface MountTable {
  /** Changes whenever something is mounted or unmounted; `undefined` if the system has no such table. */
  readonly revision: string | undefined;
  /** Returns the mount of a path without links, whether or not it exists. */
  mountOf(real: string): Promise<MountPoint | undefined>;
}

/** Reads the system's table on Linux; elsewhere compares the devices of the directories above a path. */
export async function readMountTable(file = '/proc/self/mountinfo'): Promise<MountTable> {
  try {
    // The kernel generates this file on reading, so no disk can block it.
    return parseMountTable(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isErrno(error)) throw error;
    return { revision: undefined, mountOf: climbToMount };
  }
}

/** Of several mounts on one directory only the last is visible. */
export function parseMountTable(text: string): MountTable {
  const mounts = new Map(
    parseMountLines(text).map(({ point, device }) => [point, { point, device }] as const),
  );
  const index = createRootIndex(mounts, { platform: 'posix' });
  return { revision: text, mountOf: async (real) => index.place(real)?.root };
}

export function parseMountLines(text: string): readonly MountLine[] {
  return text.split('\n').flatMap((line) => {
    const [id, , device, top, point, options = '', ...rest] = line.split(' ');
    if (id === undefined || device === undefined || top === undefined || point === undefined) return [];
    const type = rest[rest.indexOf('-') + 1];
    return [{ id, point: unescape(point), device: `${device} ${top}`, options: options.split(','), type }];
  });
}

/**
 * Creates a cached view of the mount table: read at most once a second, and parsed only when it has changed.
 * A newer mount may be missing.
 */
export function createMountView(
  read: () => string = () => readFileSync('/proc/self/mountinfo', 'utf8'),
  now: () => number = () => performance.now(),
): MountView {
  let seen: { readonly text: string; readonly lines: readonly MountLine[]; readonly at: number } | undefined;
  return () => {
    if (seen !== undefined && now() - seen.at < lasting) return seen.lines;
    try {
      const text = read();
      seen = { text, lines: seen?.text === text ? seen.lines : parseMountLines(text), at: now() };
      return seen.lines;
    } catch (error) {
      if (isErrno(error)) return undefined;
      throw error;
    }
  };
}

/** The lines of the table at this moment; `undefined` if it cannot be read. */
export type MountView = () => readonly MountLine[] | undefined;

/** Milliseconds. */
const lasting = 1_000;

/** Spaces and some other characters are written as three octal digits. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

async function climbToMount(real: string): Promise<MountPoint | undefined> {
  let mount: MountPoint | undefined;
  for (let path = real; ; path = dirname(path)) {
    const device = await deviceOf(path);
    if (mount !== undefined && device !== mount.device) return mount;
    if (device !== undefined) mount = { point: path, device };
    if (dirname(path) === path) return mount;
  }
}

async function deviceOf(path: string): Promise<string | undefined> {
  try {
    return String((await stat(path, { bigint: true })).dev);
  } catch (error) {
    if (isErrno(error)) return undefined;
    throw error;
  }
}
