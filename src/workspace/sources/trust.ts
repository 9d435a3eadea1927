/** How reliable a source is: `certain` states the project, `likely` usually means it, `weak` is a guess. */
export type Trust = 'certain' | 'likely' | 'weak';

const order: readonly Trust[] = ['certain', 'likely', 'weak'];

/** Returns the lower of two. */
export function lower(one: Trust, other: Trust): Trust {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
