import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started and that still run, with what they run. */
export function childrenOf(pid: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map((name) => `${name} ${read(`/proc/${name}/cmdline`).split('\0')[0] ?? ''}`);
}

/** The numbers of those processes, and of all that they started. */
export function descendantsOf(pid: number): readonly number[] {
  const children = childrenOf(pid).map((child) => Number.parseInt(child, 10));
  return children.concat(children.flatMap(descendantsOf));
}

/** The name of the program that a process runs. */
export function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

export function isRunning(pid: number): boolean {
  return parentOf(String(pid)) !== undefined;
}

/** `undefined` where it is gone, or only waits to be noticed as gone. */
function parentOf(pid: string): number | undefined {
  // The name of the program is in parentheses and may contain anything.
  const [state, parent] = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return parent === undefined || state === 'Z' ? undefined : Number(parent);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
