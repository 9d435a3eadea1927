import { readdirSync, readFileSync } from 'node:fs';

/** The current use of resources by a process and its descendants. */
export interface TreeUse {
  readonly processes: number;
  /** Private memory, swapped out or not. Shared memory is counted for each process. */
  readonly bytes: number;
}

/**
 * Measures a process with all its descendants from `/proc`; returns `undefined` where there is none. A
 * process whose parent has ended is not found, except in a process namespace, where the first process adopts
 * it.
 */
export function measureTree(pid: number): TreeUse | undefined {
  const children = readChildren();
  if (children === undefined) return undefined;
  const found = new Set([pid]);
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child);
  let bytes = 0;
  for (const member of found) bytes += memoryOf(member);
  return { processes: found.size, bytes };
}

function readChildren(): ReadonlyMap<number, number[]> | undefined {
  const children = new Map<number, number[]>();
  for (const name of readNames()) {
    const parent = parentOf(name);
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [Number(name)]);
    else siblings.push(Number(name));
  }
  return children.size === 0 ? undefined : children;
}

function readNames(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The fourth field; the second is a name in parentheses that may contain anything. */
function parentOf(pid: string): number | undefined {
  const stat = readOf(pid, 'stat');
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1];
  return parent === undefined ? undefined : Number(parent);
}

function memoryOf(pid: number): number {
  const lines = readOf(String(pid), 'status').matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s*(?<size>\d+) kB$/gm);
  let bytes = 0;
  for (const { groups } of lines) bytes += Number(groups?.['size'] ?? 0) * 1024;
  return bytes;
}

/** Empty if the process has ended meanwhile. */
function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
