import type { Platform } from './platform.ts';

/** How names are compared. */
export interface NameRules {
  readonly platform: Platform;
  /** Defaults to the usual file system of the platform: case-sensitive on posix, not on Windows. */
  readonly caseSensitive?: boolean;
}

/** Returns a function that maps equal names to equal keys. */
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
 * Folds a name as a case-insensitive file system compares it: one code point at a time, and only where upper
 * and lower case map to each other. `ß`, `ı`, the Kelvin sign and the final sigma stay as they are: when in
 * doubt, two names are different, and the result is a refusal.
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
