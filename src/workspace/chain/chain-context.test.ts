import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { parseRoots } from '../../path/root.ts';
import { allSources, type NamedSource, type SourceName, sourceNames } from '../sources/all-sources.ts';
import type { Signals } from '../sources/root-source.ts';
import { arrangeSources, createChainContext, type ResolveOptions } from './chain-context.ts';
import { chainPresets } from './chain-presets.ts';

const machine = { around: { platform: 'posix' }, disk: memoryDisk([]) } as const;

test('profiles of a user come first', () => {
  const mine = {
    id: 'mine',
    title: 'Mine',
    asOf: 'now',
    match: [['exact', 'claude-code']],
    remedy: 'x',
  } as const;
  const context = createChainContext({ client: { name: 'claude-code' } }, { profiles: [mine] }, machine);
  expect(context.profile?.id).toBe('mine');
});

test('a search goes up at most 20 levels', () => {
  expect(createChainContext({}, { levels: 100 }, machine).levels).toBe(20);
  expect(createChainContext({}, { levels: 3 }, machine).levels).toBe(3);
});

test('the sources of the preset can be replaced', () => {
  const { chain } = createChainContext({}, { sources: ['pwd', 'pinned'] }, machine);
  expect(chain.map(({ name }) => name)).toEqual(['pwd', 'pinned']);
});

test('the operator restricts the caller, or else the client does', () => {
  const rootsOf = (uri: string) => parseRoots([{ uri }], { platform: 'posix' }).roots;
  const roots = { state: 'listed', roots: rootsOf('file:///client') } as const;
  const boundIn = (signals: Signals, options: ResolveOptions = {}) =>
    createChainContext(signals, options, machine).judge.bound;
  const client = boundIn({ roots });
  expect([client?.holds('/client'), client?.binds(allSources.argument)]).toEqual([true, true]);
  expect(client?.binds(allSources.roots)).toBe(false);
  const ceiling = rootsOf('file:///operator');
  const operator = boundIn({ roots, ceiling });
  expect([operator?.holds('/operator'), operator?.holds('/client')]).toEqual([true, false]);
  expect(boundIn({})).toBeUndefined();
  const counted = boundIn({ roots, ceiling }, { within: rootsOf('file:///within') });
  expect([counted?.holds('/within'), counted?.holds('/operator')]).toEqual([true, false]);
  expect(counted?.binds(allSources.roots)).toBe(true);
  expect(boundIn({}, { preset: 'adr-009', within: [] })?.binds(allSources.pwd)).toBe(true);
});

/** The guesses, and the last source before most of them. */
function isLate(name: SourceName): boolean {
  return ['client-env', 'operator', 'walk-up', 'pwd'].includes(name);
}

test('the profile of the client arranges the sources, and explicit sources override it', () => {
  const signals = { client: { name: 'github-copilot-developer' } };
  const namesIn = (options: ResolveOptions) =>
    createChainContext(signals, options, machine).chain.map(({ name }) => name);
  expect(namesIn({}).filter(isLate)).toEqual(['operator', 'walk-up', 'client-env', 'pwd']);
  expect(namesIn({ sources: ['client-env', 'walk-up'] })).toEqual(['client-env', 'walk-up']);
});

test('a profile of a user overrides the order', () => {
  const mine = {
    id: 'mine',
    title: 'Mine',
    asOf: 'now',
    match: [['exact', 'github-copilot-developer']],
    order: ['pwd', 'client-env'],
    remedy: 'x',
  } as const;
  const signals = { client: { name: 'github-copilot-developer' } };
  const { chain } = createChainContext(signals, { profiles: [mine] }, machine);
  const late = chain.filter(({ name }) => isLate(name));
  expect(late.map(({ name, trust }) => `${name}: ${trust}`)).toEqual([
    'operator: likely',
    'pwd: weak',
    'client-env: likely',
    'walk-up: weak',
  ]);
});

test.each(['adr-009', 'rfc-0020'] as const)('%s: ignores client profiles', (preset) => {
  const context = createChainContext({ client: { name: 'claude-ai' } }, { preset }, machine);
  expect(context.profile).toBeUndefined();
  expect(context.chain.map(({ name }) => name)).toEqual(chainPresets[preset].sources);
});

/** Every source that says what was meant, and three guesses among them. */
const chain = Object.values(allSources).filter(({ name, explicit }) => explicit || isLate(name));
const said = chain.filter(({ explicit }) => explicit).map(({ name }) => name);

function arrange(order: readonly SourceName[] | undefined): readonly string[] {
  return arrangeSources(chain, order).map(({ name }) => name);
}

describe('the chain for a client', () => {
  test('is the default one without an order, and with the default order', () => {
    expect(arrangeSources(chain, undefined)).toBe(chain);
    expect(arrangeSources(chain, sourceNames)).toEqual(chain);
  });

  test('asks a guess after those that the order lists before it', () => {
    expect(arrange(['walk-up', 'client-env'])).toEqual([...said, 'walk-up', 'client-env', 'pwd']);
    expect(arrange(['pwd', 'walk-up', 'client-env'])).toEqual([...said, 'pwd', 'walk-up', 'client-env']);
  });

  test('asks a guess that the order omits last, with the least trust', () => {
    const arranged = arrangeSources(chain, ['walk-up']);
    expect(arranged.slice(-3).map(({ name, trust }) => [name, trust])).toEqual([
      ['walk-up', 'likely'],
      ['client-env', 'weak'],
      ['pwd', 'weak'],
    ]);
    expect(allSources['client-env'].trust).toBe('likely');
  });

  test('contains no source that the chain lacks', () => {
    const short = [allSources.roots, allSources.pwd];
    expect(arrangeSources(short, ['walk-up', 'pwd', 'roots'])).toEqual(short);
  });
});

describe('for every order', () => {
  const anyOrder = fc.array(fc.constantFrom(...sourceNames));
  const guesses = chain.filter(({ explicit }) => !explicit);

  function placeOf(sources: readonly NamedSource[], { name }: NamedSource): number {
    return sources.findIndex((source) => source.name === name);
  }

  test('every source is asked once', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(arrange(order).toSorted()).toEqual(chain.map(({ name }) => name).toSorted());
      }),
    );
  });

  test('explicit sources keep their order and their trust, and no guess precedes them', () => {
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

  test('no guess gains trust', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        for (const { name, trust } of arrangeSources(chain, order))
          expect([allSources[name].trust, 'weak']).toContain(trust);
      }),
    );
  });
});
