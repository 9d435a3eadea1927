import type { Platform } from './platform.ts';

/** How names compare. */
export interface NameRules {
  readonly platform: Platform;
  /** Defaults to what the platform's usual file system does: yes on posix, no on Windows. */
  readonly caseSensitive?: boolean;
}

/** The function under which two names are the same name. */
export function nameKey({
  platform,
  caseSensitive = platform === 'posix',
}: NameRules): (name: string) => string {
  return caseSensitive ? asItIs : fold;
}

function asItIs(name: string): string {
  return name;
}

/**
 * A name as a case-insensitive file system would compare it: one code point at a time, and only where upper
 * and lower case are each other's mirror. `ß`, `ı`, the Kelvin sign and the final sigma stay themselves:
 * when in doubt two names are different, and the answer is a refusal.
 */
export function fold(name: string): string {
  if (isAscii.test(name)) return name.toLowerCase();
  let folded = '';
  for (const character of name) folded += foldCharacter(character);
  return folded;
}

const isAscii = /^[\u0020-\u007E]*$/;

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  return lower.toUpperCase() === upper && upper.toLowerCase() === lower && upper.length === lower.length
    ? lower
    : character;
}
