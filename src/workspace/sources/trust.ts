/**
 * How reliable a source is: `certain` states the project, `likely` usually means it, `weak` often does not. `guessed`:
 * several were named alike, and the first one counts.
 */
export type Trust = 'certain' | 'likely' | 'weak' | 'guessed';

const order: readonly Trust[] = ['certain', 'likely', 'weak', 'guessed'];

/** Returns the lower of two. */
export function lower(one: Trust, other: Trust): Trust {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
