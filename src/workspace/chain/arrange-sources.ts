import type { RootSource } from '../sources/root-source.ts';
import type { SourceName } from '../sources/source-name.ts';

/**
 * The chain for one client. What somebody said on purpose keeps its place, and a guess only ever moves down:
 * behind the guesses that the order names before it, or, where the order leaves it out, behind all that it
 * names, and then it is a weak one.
 */
export function arrangeSources(
  chain: readonly RootSource[],
  order: readonly SourceName[] | undefined,
): readonly RootSource[] {
  if (order === undefined) return chain;
  const placed = chain.flatMap((source, place) => (source.explicit ? [{ source, place }] : []));
  let lowest = 0;
  for (const source of rankGuesses(chain, order)) {
    lowest = Math.max(
      lowest,
      chain.findIndex(({ name }) => name === source.name),
    );
    placed.push({ source, place: lowest });
  }
  return placed.toSorted((one, other) => one.place - other.place).map(({ source }) => source);
}

function rankGuesses(chain: readonly RootSource[], order: readonly SourceName[]): readonly RootSource[] {
  const guesses = chain.filter(({ explicit }) => !explicit);
  const named = [...new Set(order)].flatMap((name) => guesses.filter((source) => source.name === name));
  const others = guesses.filter((source) => !named.includes(source));
  return [...named, ...others.map(doubt)];
}

function doubt(source: RootSource): RootSource {
  return source.trust === 'weak' ? source : { ...source, trust: 'weak' };
}
