import type { Boundary } from '../boundary/boundary.ts';
import type { LogFile } from '../boundary/log-file.ts';
import { RootwardError } from '../errors.ts';
import { rotatedName, rotatedNumber } from './rotated-name.ts';

export interface FullLog {
  readonly name: string;
  readonly log: LogFile;
}

export interface Rotation extends FullLog {
  /** How many full files stay. */
  readonly keep: number;
}

/** After this long a reservation counts as left behind by a process that died. */
const reservedFor = 5_000;

/**
 * Gives the full file the next number, so that its old name is free for a new one; returns without doing so
 * if another process is at it. There is no lock that a crash could leave behind:
 *
 * 1. The next number is reserved: an empty file is created under it, which fails if it is taken. An empty
 *    newest file is a reservation, and whoever meets one goes on writing to the full file.
 * 2. If the log is still the file that was seen to be full, it is renamed over the reservation. A rename is
 *    atomic, and replaces nothing but the reservation of the same process.
 *
 * Writers that still hold the file are not disturbed: a rename moves a name, not what is open. So no line can
 * be lost or be there twice. Where a process stops for longer than a reservation counts, the worst is that
 * the next file gets its number before it is full.
 */
export async function rotateLog(boundary: Boundary, { name, log, keep }: Rotation): Promise<void> {
  const numbers = await findRotated(boundary, name);
  const newest = numbers.at(-1) ?? 0;
  if (newest > 0 && (await isReserved(boundary, rotatedName(name, newest)))) return;
  const slot = rotatedName(name, newest + 1);
  if (!(await reserve(boundary, slot))) return;
  if (!(await moveTo(boundary, { name, log }, slot))) return;
  const excess = [...numbers, newest + 1].slice(0, -keep);
  for (const number of excess) await removeIfThere(boundary, rotatedName(name, number));
}

/** Numbers of the full files, the oldest first. */
export async function findRotated(boundary: Boundary, name: string): Promise<readonly number[]> {
  const { entries } = await boundary.list('.');
  return entries
    .map((entry) => rotatedNumber(name, entry.name))
    .filter((number) => number !== undefined)
    .toSorted((one, other) => one - other);
}

async function isReserved(boundary: Boundary, slot: string): Promise<boolean> {
  try {
    const { size, modified } = await boundary.lstat(slot);
    return size === 0 && Math.abs(Date.now() - modified.getTime()) < reservedFor;
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return false;
    throw error;
  }
}

/** Whether the number is ours. */
async function reserve(boundary: Boundary, slot: string): Promise<boolean> {
  try {
    await boundary.write(slot, '', { exclusive: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (RootwardError.is(error, 'ALREADY_EXISTS')) return false;
    throw error;
  }
}

/** Whether the log was still the full file. If not, the number is given back. */
async function moveTo(boundary: Boundary, { name, log }: FullLog, slot: string): Promise<boolean> {
  try {
    if (log.isCurrent()) {
      await boundary.rename(name, slot, { replace: true });
      return true;
    }
  } catch (error) {
    await removeIfThere(boundary, slot);
    throw error;
  }
  await removeIfThere(boundary, slot);
  return false;
}

async function removeIfThere(boundary: Boundary, path: string): Promise<void> {
  try {
    await boundary.remove(path);
  } catch (error) {
    if (!RootwardError.is(error, 'NOT_FOUND')) throw error;
  }
}
