import { fstatSync } from 'node:fs';

/** Tells one file from every other while it is open. 64 bits wide on some systems: a number would mix them up. */
export function identityOf(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}
