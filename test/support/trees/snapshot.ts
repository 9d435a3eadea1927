import { lstatSync, lutimesSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Names of a tree, each with mode, time of the last change, and content or target. */
export type Snapshot = Readonly<Record<string, string>>;

export interface SnapshotOptions {
  /** Names directly below the top that are left out. */
  readonly without?: readonly string[];
  /** Times tell a change back from no change, but two trees never have the same. */
  readonly times?: boolean;
}

/** The whole tree, links as links; empty if it is gone. */
export function snapshot(top: string, { without = [], times = true }: SnapshotOptions = {}): Snapshot {
  const seen: Record<string, string> = {};
  visit(top, '', (path, name) => {
    if (without.includes(name)) return false;
    seen[name] = describeEntry(path, times);
    return true;
  });
  return seen;
}

/** Names that have come, gone, or become different. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

/** Gives everything an old time, so that even a change within the same tick of the clock shows. */
export function age(top: string): void {
  visit(top, '', (path) => {
    lutimesSync(path, 1, 1);
    return true;
  });
}

/** Node's own recursive `readdir` follows links: that would be a snapshot of something else. */
function visit(top: string, name: string, see: (path: string, name: string) => boolean): void {
  const path = join(top, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !see(path, name) || !stats.isDirectory()) return;
  for (const child of readdirSync(path)) visit(top, join(name, child), see);
}

function describeEntry(path: string, times: boolean): string {
  const stats = lstatSync(path, { bigint: true });
  const parts = [stats.mode.toString(8), times ? stats.mtimeNs : ''];
  if (stats.isSymbolicLink()) return [...parts, readlinkSync(path)].join(' ');
  return stats.isFile() ? [...parts, readFileSync(path, 'utf8')].join(' ') : parts.join(' ');
}
