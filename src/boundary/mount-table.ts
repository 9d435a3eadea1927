import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createRootIndex } from '../path/root-index.ts';
import { isErrno } from './errno.ts';

/** A file system, where it is mounted. */
export interface Mount {
  readonly point: string;
  /** Tells it from another one that is mounted there later. */
  readonly device: string;
}

/** What is mounted where, at one moment. */
export interface MountTable {
  /** Changes whenever something is mounted or unmounted; `undefined` where the system keeps no such table. */
  readonly revision: string | undefined;
  /** The mount that a path lies on, whether or not it exists. The path has no links. */
  mountOf(real: string): Promise<Mount | undefined>;
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
  const mounts = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [, , device, top, point] = line.split(' ');
    if (device === undefined || top === undefined || point === undefined) continue;
    mounts.set(unescape(point), { point: unescape(point), device: `${device} ${top}` });
  }
  const index = createRootIndex(mounts, { platform: 'posix' });
  return { revision: text, mountOf: async (real) => index.place(real)?.root };
}

/** Spaces and the like are three octal digits there. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

async function climbToMount(real: string): Promise<Mount | undefined> {
  let mount: Mount | undefined;
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
