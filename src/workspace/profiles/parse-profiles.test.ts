import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { type SourceName, sourceNames } from '../sources/all-sources.ts';
import { findOrderFault, parseProfiles } from './parse-profiles.ts';

const row = { id: 'mine', match: [['exact', 'my-client']], remedy: 'open a folder' };

describe('parseProfiles', () => {
  test('accepts a short row and fills in the rest', () => {
    expect(parseProfiles([row])).toEqual([{ ...row, title: 'mine', asOf: 'added by hand' }]);
  });

  test('accepts a full row unchanged', () => {
    const full = {
      ...row,
      title: 'Mine',
      asOf: '2026-11',
      order: ['roots', 'walk-up', 'client-env'],
      cwd: 'never',
      environment: [{ name: 'MY_DIR', kind: 'list', trust: 'weak', when: { name: 'MY', value: '1' } }],
      meta: [{ path: ['my', 'dir'], kind: 'path' }],
      quirks: ['shared-process'],
      evidence: ['seen'],
    };
    expect(parseProfiles([full])).toEqual([full]);
  });

  test.each([
    [{}, 'at the top: it is an object, not a list'],
    [[null], '[0]: it is null, not an object'],
    [[{ ...row, id: '' }], '[0].id: it is empty'],
    [[{ id: 'x', remedy: 'y' }], '[0]: "match" is missing'],
    [[{ ...row, mach: [] }], '[0].mach: it is unknown (did you mean "match"?); keys are: id,'],
    [
      [row, { ...row, match: [['like', 'x']] }],
      '[1].match[0][0]: it is "like"; use one of: exact, prefix, regex',
    ],
    [[{ ...row, match: [['exact']] }], '[0].match[0]: it is not a pair such as ["exact", "name"]'],
    [[{ ...row, match: [['exact', 'a', 'b']] }], '[0].match[0]: it is not a pair'],
    [[{ ...row, match: ['exact'] }], '[0].match[0]: it is not a pair'],
    [[{ ...row, match: [['regex', '(']] }], '[0].match[0][1]: it is not a regular expression'],
    [[{ ...row, order: 'roots' }], '[0].order: it is a string, not a list'],
    [[{ ...row, order: [] }], '[0].order: at least one source is expected'],
    [
      [{ ...row, order: ['roots', 'cwd'] }],
      '[0].order[1]: it is "cwd"; use one of: argument, pinned, switched',
    ],
    [[row, { ...row, order: ['pwd', 'pwd'] }], '[1].order[1]: pwd is expected once'],
    [[{ ...row, order: ['walk-up', 'roots'] }], '[0].order[1]: roots is expected before walk-up'],
    [[{ ...row, cwd: 'always' }], '[0].cwd: it is "always"; use one of: never'],
    [
      [{ ...row, environment: [{ name: 'X', kind: 'directory', trust: 'sure' }] }],
      '[0].environment[0].trust: it is "sure"; use one of',
    ],
    [[{ ...row, meta: [{ path: 'x', kind: 'path' }] }], '[0].meta[0].path: it is a string, not a list'],
  ])('refuses %j and names the position: %s', (input, words) => {
    expect(() => parseProfiles(input)).toThrow(
      expect.objectContaining({ code: 'INVALID_PROFILE', message: expect.stringContaining(words) }),
    );
  });

  test('throws nothing else, for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          parseProfiles([value]);
        } catch (error) {
          expect(RootwardError.is(error, 'INVALID_PROFILE')).toBe(true);
        }
      }),
    );
  });
});

describe('an order', () => {
  test.each<[readonly SourceName[]]>([
    [sourceNames],
    [['walk-up']],
    [['walk-up', 'client-env']],
    [['roots', 'pwd', 'walk-up', 'client-env']],
    [['client-env', 'operator', 'walk-up']],
  ])('may be %j', (order) => {
    expect(findOrderFault(order)).toBeUndefined();
  });

  test.each<[readonly SourceName[], readonly number[], string]>([
    [[], [], 'at least one source is expected'],
    [['roots', 'walk-up', 'roots'], [2], 'roots is expected once'],
    [['walk-up', 'roots'], [1], 'roots is expected before walk-up'],
    [['roots', 'argument'], [1], 'argument is expected before roots'],
    [['client-env', 'request-meta'], [1], 'request-meta is expected before client-env'],
    [['walk-up', 'operator'], [1], 'operator is expected before walk-up'],
  ])('cannot be %j', (order, path, words) => {
    expect(findOrderFault(order)).toEqual({ path, reason: expect.stringContaining(words) });
  });
});
