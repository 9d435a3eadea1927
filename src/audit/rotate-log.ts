import type { Boundary } from '../boundary/boundary.ts';
import { ifThere } from '../boundary/step/if-there.ts';
import type { LogFile } from '../boundary/write/log-file.ts';
import { RootwardError } from '../errors.ts';

interface FullLog {
  readonly name: string;
  readonly log: LogFile;
}

export interface LogRotation extends FullLog {
  /** How many full files are kept. */
  readonly keep: number;
}

/** Milliseconds after which a reservation counts as left by a dead process. */
const reservedFor = 5_000;

/**
 * Renames the full file to the next number, so that its name is free for a new one. Returns without doing so
 * if another process is rotating. There is no lock that a crash could leave behind:
 *
 * 1. Reserve the next number by creating an empty file under it, which fails if it is taken. An empty newest
 *   file is a reservation; a process that sees one keeps writing to the full file.
 * 2. If the log is still the file that was full, rename it over the reservation. The rename is atomic and
 *   replaces only the reservation of the same process.
 *
 * Only one process gets that far: while the file keeps its name, every process tries the same number. Writers
 * that hold the file are not disturbed, because a rename moves a name, not open files. So no line is lost or
 * duplicated. If a process stops between the two steps for longer than a reservation lasts, the worst result
 * is that a file gets a number before it is full.
 */
export async function rotateLog(boundary: Boundary, { name, log, keep }: LogRotation): Promise<void> {
  const numbers = await findRotated(boundary, name);
  const newest = numbers.at(-1) ?? 0;
  if (newest > 0 && (await isReserved(boundary, rotatedName(name, newest)))) return;
  const slot = rotatedName(name, newest + 1);
  if (!(await reserve(boundary, slot))) return;
  if (!(await moveTo(boundary, { name, log }, slot))) return;
  const excess = [...numbers, newest + 1].slice(0, -keep);
  for (const number of excess) await ifThere(boundary.remove(rotatedName(name, number)));
}

/** Lists the numbers of the full files, the oldest first. */
export async function findRotated(boundary: Boundary, name: string): Promise<readonly number[]> {
  const { entries } = await boundary.list('.');
  return entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => rotatedNumber(name, entry.name))
    .filter((number) => number !== undefined)
    .toSorted((one, other) => one - other);
}

/** Whether another process is rotating. If the number has just disappeared, one was, so the answer is yes. */
async function isReserved(boundary: Boundary, slot: string): Promise<boolean> {
  const info = await ifThere(boundary.lstat(slot));
  if (info === undefined) return true;
  return info.size === 0 && Math.abs(Date.now() - info.modified.getTime()) < reservedFor;
}

/** Reserves a number. Resolves to `false` if it is taken. */
async function reserve(boundary: Boundary, slot: string): Promise<boolean> {
  try {
    await boundary.write(slot, '', { exclusive: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (RootwardError.is(error, 'ALREADY_EXISTS')) return false;
    throw error;
  }
}

/** Renames the log if it is still the full file; otherwise gives the number back. */
async function moveTo(boundary: Boundary, { name, log }: FullLog, slot: string): Promise<boolean> {
  let moved = false;
  const move = (): Promise<true> => boundary.rename(name, slot, { replace: true }).then(() => true);
  try {
    // Other processes rotate too.
    moved = log.isCurrent() && (await ifThere(move())) === true;
  } finally {
    if (!moved) await ifThere(boundary.remove(slot));
  }
  return moved;
}

/** The name of a full log file: `audit.3.jsonl` for `audit.jsonl`. Higher numbers are newer. */
export function rotatedName(name: string, number: number): string {
  const { stem, extension } = splitName(name);
  return `${stem}.${number}${extension}`;
}

/** Returns the number in such a name, or `undefined` for every other name. */
export function rotatedNumber(name: string, candidate: string): number | undefined {
  const { stem, extension } = splitName(name);
  if (!candidate.startsWith(`${stem}.`) || !candidate.endsWith(extension)) return undefined;
  const digits = candidate.slice(stem.length + 1, candidate.length - extension.length);
  // No leading zeros, so that each number has exactly one name.
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot) };
}
