import { describe, expect, test } from 'vitest';
import { findProfile } from '../profile.ts';
import { parseProfiles } from '../parse-profiles.ts';
import { clientEnv } from '../sources/client-env.ts';
import { requestMeta } from '../sources/request-meta.ts';
import { allProfiles } from './all-profiles.ts';

test('every client that was looked at has one row', () => {
  const ids = allProfiles.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(38);
});

test('the built-in rows pass the check for rows that users add', () => {
  expect(parseProfiles(JSON.parse(JSON.stringify(allProfiles)))).toEqual(allProfiles);
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

  test('each of its variables is a source, for it alone', () => {
    for (const { name, when } of profile.environment ?? []) {
      const environment = { [name]: '/p', ...(when === undefined ? {} : { [when.name]: when.value }) };
      expect(clientEnv.offer({ environment }, profile)).toEqual({
        places: [expect.objectContaining({ text: '/p', via: name })],
      });
      expect(clientEnv.offer({ environment }, undefined)).toHaveProperty('none');
      if (when !== undefined)
        expect(clientEnv.offer({ environment: { [name]: '/p' } }, profile)).toHaveProperty('none');
    }
    expect(clientEnv.offer({ environment: {} }, profile)).toHaveProperty('none');
  });

  test('each of its keys in a request is a source, for it alone', () => {
    for (const { path, kind } of profile.meta ?? []) {
      const leaf: unknown = kind === 'keys' ? { '/p': {} } : '/p';
      const meta = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), leaf) as Record<
        string,
        unknown
      >;
      expect(requestMeta.offer({ meta }, profile)).toEqual({
        places: [expect.objectContaining({ text: '/p', via: path.join('.') })],
      });
      expect(requestMeta.offer({ meta }, undefined)).toHaveProperty('none');
    }
    expect(requestMeta.offer({ meta: {} }, profile)).toHaveProperty('none');
  });
});
