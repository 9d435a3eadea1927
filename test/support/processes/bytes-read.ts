import { readFileSync } from 'node:fs';

/** Bytes that a process has read so far, with what its children have that ended: files, pipes and all. Linux only. */
export function bytesReadBy(pid: number): number {
  const [, count] = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? [];
  return Number(count);
}
