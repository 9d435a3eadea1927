import { type BigIntStats, fstatSync } from 'node:fs';

/** Tells one file from every other while it is open. 64 bits wide on some systems: a number would mix them up. */
export function identityOf(fd: number): string {
  return identityIn(fstatSync(fd, { bigint: true }));
}

/** The same, of something that was looked at already. */
export function identityIn({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
