import { readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;

/** More than anybody hands on, and what a list of handles may reasonably be filled up to. */
const highest = 4_095;

/**
 * Numbers of handles that every program started here would inherit, although nobody meant it to: whoever
 * started this process left them open. Node closes the low ones by itself. Linux alone; none elsewhere.
 */
export function findLeakedHandles(): readonly number[] {
  try {
    const numbers = readdirSync('/proc/self/fd').map(Number);
    return numbers.filter((fd) => fd > 2 && fd <= highest && isInherited(fd));
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(?<flags>[0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
    return (Number.parseInt(flags?.groups?.['flags'] ?? '0', 8) & closeOnExec) === 0;
  } catch {
    // The one that was reading the list.
    return false;
  }
}
