import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/support/trees/memory-disk.ts';
import { parseRoots } from '../../path/root.ts';
import { resolveWorkspace } from '../chain/resolve-workspace.ts';
import { allSources, type SourceName, sourceNames } from '../sources/all-sources.ts';
import { findProfile, type Profile } from '../sources/profile.ts';
import type { Signals } from '../sources/root-source.ts';
import { allProfiles } from './all-profiles.ts';
import { findOrderFault, parseProfiles } from './parse-profiles.ts';

test('every known client has one row', () => {
  const ids = allProfiles.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the built-in rows pass the check for rows that users add', () => {
  const rows = allProfiles.map(({ install: _install, histories: _histories, ...row }) => row);
  expect(parseProfiles(JSON.parse(JSON.stringify(rows)))).toEqual(rows);
});

test('the README text of a client fits into a table row', () => {
  const cells = allProfiles.flatMap(({ install }) => (install === undefined ? [] : Object.values(install)));
  expect(cells.filter((cell) => cell === '' || /[|\n]/.test(cell))).toEqual([]);
});

describe.each(allProfiles)('$id', (profile) => {
  test('is found by each of its exact names', () => {
    for (const [kind, name] of profile.match) {
      if (kind === 'exact') expect(findProfile(allProfiles, name)).toBe(profile);
    }
    expect(profile.asOf).not.toBe('');
  });

  test('has a remedy that completes a sentence', () => {
    expect(profile.remedy).toMatch(/^[a-z].*[^.]$/);
  });

  test('each of its variables is a source for it alone', () => {
    for (const { name, when } of profile.environment ?? []) {
      const environment = { [name]: '/p', ...(when === undefined ? {} : { [when.name]: when.value }) };
      expect(allSources['client-env'].offer({ environment }, profile)).toEqual({
        places: [expect.objectContaining({ text: '/p', via: name })],
      });
      expect(allSources['client-env'].offer({ environment }, undefined)).toHaveProperty('none');
      if (when !== undefined)
        expect(allSources['client-env'].offer({ environment: { [name]: '/p' } }, profile)).toHaveProperty(
          'none',
        );
    }
    expect(allSources['client-env'].offer({ environment: {} }, profile)).toHaveProperty('none');
  });

  test('each of its request keys is a source for it alone', () => {
    for (const { path, kind } of profile.meta ?? []) {
      const leaf: unknown = kind === 'keys' ? { '/p': {} } : '/p';
      const meta = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), leaf) as Record<
        string,
        unknown
      >;
      expect(allSources['request-meta'].offer({ meta }, profile)).toEqual({
        places: [expect.objectContaining({ text: '/p', via: path.join('.') })],
      });
      expect(allSources['request-meta'].offer({ meta }, undefined)).toHaveProperty('none');
    }
    expect(allSources['request-meta'].offer({ meta: {} }, profile)).toHaveProperty('none');
  });

  test('has a valid order, with evidence', () => {
    expect(findOrderFault(profile.order ?? [])).toBeUndefined();
    expect(profile.evidence?.length).toBeGreaterThan(0);
    // The two say the same: servers of such a client do not start in the project.
    expect(profile.cwd === 'never').toBe(profile.order?.includes('walk-up') === false);
  });

  test('is asked in its order, and the trail shows it', async () => {
    const { trail } = await resolve(profile, {});
    const asked = trail.map(({ source }) => source);
    expect(asked.filter(isSaid)).toEqual(sourceNames.filter(isSaid));
    expect(asked.filter((name) => !isSaid(name))).toEqual(guessesOf(profile));
  });

  test('takes the first guess of its order that names a place', async () => {
    const speaks: Partial<Record<SourceName, boolean>> = {
      'client-env': profile.environment !== undefined,
      'walk-up': profile.cwd !== 'never',
      pwd: true,
    };
    expect(await resolve(profile, guessable(profile))).toMatchObject({
      status: 'resolved',
      source: guessesOf(profile).find((name) => speaks[name]),
    });
  });

  test('never prefers a guess to an explicit source', async () => {
    for (const [name, said] of Object.entries(saidBy(profile))) {
      const signals = { ...guessable(profile), ...said };
      expect(await resolve(profile, signals)).toMatchObject({ status: 'resolved', source: name });
    }
    // Only the client's own variable is asked before the operator's directories.
    const started = { cwd: '/g/cwd', environment: { PWD: '/g/pwd' }, ceiling: roots };
    expect(await resolve(profile, started)).toMatchObject({ status: 'resolved', source: 'operator' });
  });
});

const [root] = parseRoots([{ uri: 'file:///g/said' }], { platform: 'posix' }).roots;
const roots = root === undefined ? [] : [root];

function isSaid(name: SourceName): boolean {
  return allSources[name].explicit;
}

/** In the order of the row, without the code that arranges. */
function guessesOf({ order = [] }: Profile): readonly SourceName[] {
  const guesses = sourceNames.filter((name) => !isSaid(name));
  const named = order.filter((name) => !isSaid(name));
  return [...named, ...guesses.filter((name) => !named.includes(name))];
}

/** Each guess names a place of its own. */
function guessable({ environment = [] }: Profile): Signals {
  const variables = environment.flatMap(({ name, when }) => [
    [name, '/g/env'],
    ...(when === undefined ? [] : [[when.name, when.value]]),
  ]);
  return { cwd: '/g/cwd', environment: { PWD: '/g/pwd', ...Object.fromEntries(variables) } };
}

/** By its name, what each source of those that count more than any guess is told. */
function saidBy({ meta: [key] = [] }: Profile): Partial<Record<SourceName, Signals>> {
  const text = '/g/said';
  return {
    argument: { argument: text },
    pinned: { pinned: text },
    switched: { switched: text },
    ...(key && { 'request-meta': { meta: Object.assign({}, nest(key.path, text)) } }),
    roots: { roots: { state: 'listed', roots } },
    remembered: { remembered: roots },
    initialize: { initialize: { rootUri: 'file:///g/said' } },
  };
}

function nest(path: readonly string[], leaf: string): unknown {
  return path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), leaf);
}

/** Some clients have no known name: the row is given one. */
function resolve(profile: Profile, signals: Signals) {
  const disk = memoryDisk(['/g/said', '/g/env', '/g/cwd', '/g/cwd/.git', '/g/pwd']);
  const around = { platform: 'posix', home: '/home/u', temporary: '/tmp' } as const;
  const row = { ...profile, match: [['exact', 'the client']] } as const;
  return resolveWorkspace({ client: { name: 'the client' }, ...signals }, { profiles: [row], disk, around });
}
