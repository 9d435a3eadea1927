import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createRootIndex } from '../../path/root-index.ts';
import { isErrno } from './errno.ts';

/** A file system, where it is mounted. */
export interface MountPoint {
  readonly point: string;
  /** Tells it from another one that is mounted there later. */
  readonly device: string;
}

/** One line of the system's table. */
export interface MountLine {
  /** What the handles on it say, too. */
  readonly id: string;
  readonly point: string;
  readonly device: string;
  readonly options: readonly string[];
  /** As the kernel calls it: `ext4`, `vfat`, `fuse.sshfs`. */
  readonly type: string | undefined;
}

/** What is mounted where, at one moment. */
export interface MountTable {
  /** Changes whenever something is mounted or unmounted; `undefined` where the system keeps no such table. */
  readonly revision: string | undefined;
  /** The mount that a path lies on, whether or not it exists. The path has no links. */
  mountOf(real: string): Promise<MountPoint | undefined>;
}

/** From the system's own table on Linux; elsewhere by the devices of the directories above a path. */
export async function readMountTable(file = '/proc/self/mountinfo'): Promise<MountTable> {
  try {
    // Made by the kernel while it is read: no disk can keep anybody waiting.
    return parseMountTable(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isErrno(error)) throw error;
    return { revision: undefined, mountOf: climbToMount };
  }
}

/** Of several mounts on one directory only the last can be seen. */
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
 * The system's table, for a question that is asked again and again: read at most once a second, and parsed only where
 * it has changed. A mount that is younger than that may be missing.
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

/** Spaces and the like are three octal digits there. */
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
