import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrangeSources } from './arrange-sources.ts';
import type { RootSource } from '../sources/root-source.ts';
import type { SourceName } from '../sources/source-name.ts';
import { allSources, sourceNames } from '../sources/all-sources.ts';

const chain = Object.values(allSources);
const said = sourceNames.filter((name) => allSources[name].explicit);

function arrange(order: readonly SourceName[] | undefined): readonly string[] {
  return arrangeSources(chain, order).map(({ name }) => name);
}

describe('the chain for a client', () => {
  test('is the default one without an order, and with the default order', () => {
    expect(arrangeSources(chain, undefined)).toBe(chain);
    expect(arrangeSources(chain, sourceNames)).toEqual(chain);
  });

  test('asks a guess after those that the order names before it', () => {
    expect(arrange(['walk-up', 'client-env'])).toEqual([...said, 'walk-up', 'client-env', 'pwd']);
    expect(arrange(['pwd', 'walk-up', 'client-env'])).toEqual([...said, 'pwd', 'walk-up', 'client-env']);
  });

  test('asks a guess that the order leaves out last, and believes it least', () => {
    const arranged = arrangeSources(chain, ['walk-up']);
    expect(arranged.slice(-3).map(({ name, trust }) => [name, trust])).toEqual([
      ['walk-up', 'likely'],
      ['client-env', 'weak'],
      ['pwd', 'weak'],
    ]);
    expect(allSources['client-env'].trust).toBe('likely');
  });

  test('has no source that the chain has not', () => {
    const short = [allSources.roots, allSources.pwd];
    expect(arrangeSources(short, ['walk-up', 'pwd', 'roots'])).toEqual(short);
  });
});

describe('whatever an order says', () => {
  const anyOrder = fc.array(fc.constantFrom(...sourceNames));
  const guesses = chain.filter(({ explicit }) => !explicit);

  function placeOf(sources: readonly RootSource[], { name }: RootSource): number {
    return sources.findIndex((source) => source.name === name);
  }

  test('every source is asked once', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(arrange(order).toSorted()).toEqual(sourceNames.toSorted());
      }),
    );
  });

  test('what somebody said on purpose keeps its order and its trust, and no guess gets ahead of it', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const arranged = arrangeSources(chain, order);
        expect(arranged.filter(({ explicit }) => explicit)).toEqual(chain.filter(({ explicit }) => explicit));
        for (const guess of guesses) {
          const ahead = chain.slice(0, placeOf(chain, guess)).filter(({ explicit }) => explicit);
          for (const source of ahead)
            expect(placeOf(arranged, source)).toBeLessThan(placeOf(arranged, guess));
        }
      }),
    );
  });

  test('no guess is believed more', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        for (const { name, trust } of arrangeSources(chain, order))
          expect([allSources[name].trust, 'weak']).toContain(trust);
      }),
    );
  });
});
