import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from './fold.ts';
import { looseKey, withoutTails } from './loose-key.ts';

describe('names that some file system treats as equal', () => {
  test.each([
    ['ASCII case', '.ENV', '.env'],
    ['the long s', '.\u017Fsh', '.ssh'],
    ['the Kelvin sign', 'server.\u212Aey', 'server.key'],
    ['the dotless i', '.g\u0131t', '.git'],
    ['composed and decomposed', 'caf\u00E9', 'cafe\u0301'],
    ['an accent in upper case', 'CAF\u00C9', 'cafe\u0301'],
    ['a zero-width joiner', '.g\u200Dit', '.git'],
    ['a byte order mark', '\uFEFF.env', '.env'],
    ['a variation selector', '.env\uFE0F', '.env'],
    ['a soft hyphen', '.en\u00ADv', '.env'],
    ['a ligature', '\uFB01le', 'file'],
    ['the sharp s', 'stra\u00DFe', 'STRASSE'],
    ['the capital sharp s', 'STRA\u1E9EE', 'stra\u00DFe'],
    ['the final sigma', 'ΟΔΟΣ', 'οδοσ'],
  ])('have one key: %s', (_case, first, second) => {
    expect(looseKey(first)).toBe(looseKey(second));
  });
});

describe('names that no file system treats as equal', () => {
  test.each([
    ['.env', '.envrc'],
    ['a', 'b'],
    ['cafe', 'café'],
    ['a b', 'ab'],
    ['а', 'a'],
  ])('have two keys: %s, %s', (first, second) => {
    expect(looseKey(first)).not.toBe(looseKey(second));
  });
});

const name = fc.string({ unit: 'binary' });

test('a key is its own key', () => {
  fc.assert(
    fc.property(name, (text) => {
      expect(looseKey(looseKey(text))).toBe(looseKey(text));
    }),
  );
});

test('names that fold equally have equal keys', () => {
  fc.assert(
    fc.property(name, (text) => {
      expect(looseKey(fold(text))).toBe(looseKey(text));
    }),
  );
});

test('the number of names in a path stays', () => {
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const path = names.join('/');
      expect(looseKey(path).split('/')).toHaveLength(path.split('/').length);
    }),
  );
});

describe('the tail of a name that some disks ignore', () => {
  test.each([
    ['.ssh./id_rsa', '.ssh/id_rsa'],
    ['.ssh. . /a', '.ssh/a'],
    ['a:b:c/d ', 'a/d'],
    ['id_rsa::$DATA', 'id_rsa'],
    ['a .:x', 'a'],
    // Nothing would be left of these names.
    ['...', '...'],
    [' /:a', ' /:a'],
    ['a/.b', 'a/.b'],
    ['a. b/c.d', 'a. b/c.d'],
  ])('%j is %j', (path, short) => {
    expect(withoutTails(path)).toBe(short);
  });

  test('is removed completely, and no name becomes empty', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '.', ' ', ':', '/', 'é') });
    fc.assert(
      fc.property(part, (path) => {
        const short = withoutTails(path);
        expect(withoutTails(short)).toBe(short);
        expect(short.split('/')).toHaveLength(path.split('/').length);
      }),
    );
  });
});
