/** How sure a source can be: `certain` says so itself, `likely` usually means it, `weak` is a guess. */
export type Trust = 'certain' | 'likely' | 'weak';

const order: readonly Trust[] = ['certain', 'likely', 'weak'];

/** The lesser of two. */
export function lower(one: Trust, other: Trust): Trust {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
