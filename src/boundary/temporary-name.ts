import { randomBytes } from 'node:crypto';

/** A name that nobody guesses, that sorts to the side, and that tells whose it is if a crash leaves it. */
export function temporaryName(): string {
  return `.rootward-${randomBytes(12).toString('hex')}.tmp`;
}
