import { describe, expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { bindSwitch, isBareName } from './bind-switch.ts';

const { roots } = parseRoots([{ uri: 'file:///srv/app' }, { uri: 'file:///srv/docs', name: 'Manual' }]);

describe('with roots', () => {
  test.each([
    ['a basename', 'app', '/srv/app'],
    ['the name of a root', 'Manual', '/srv/docs'],
    ['the basename of a root with another name', 'docs', '/srv/docs'],
    ['a path', '/srv/app', '/srv/app'],
    ['a path within', '/srv/app/lib', '/srv/app/lib'],
    ['a file URI', 'file:///srv/docs/a%20b', '/srv/docs/a b'],
  ])('%s is a place', (_name, text, path) => {
    expect(bindSwitch({ text }, roots)).toEqual({ kind: 'place', path });
  });

  test.each([
    'other',
    '/srv',
    '/srv/application',
    'file:///etc',
    '/srv/app/../docs2',
    '..',
    '.',
    '',
    'https://x.example',
  ])('%s is none', (text) => {
    expect(bindSwitch({ text }, roots)).toEqual({ kind: 'ended' });
  });

  test('a person can grant a place, and no name', () => {
    expect(bindSwitch({ text: '/etc', consented: true }, roots)).toMatchObject({
      kind: 'place',
      path: '/etc',
      root: { path: '/etc' },
    });
    expect(bindSwitch({ text: 'other', consented: true }, roots)).toEqual({ kind: 'ended' });
  });
});

describe('without roots', () => {
  test('a name is a name', () => {
    expect(bindSwitch({ text: 'app' }, [])).toEqual({ kind: 'name', name: 'app' });
  });

  test.each(['/srv/app', 'file:///srv/app', '..', 'a/b', ''])('%s is nothing', (text) => {
    expect(bindSwitch({ text }, [])).toEqual({ kind: 'ended' });
  });
});

test.each([
  ['app', true],
  ['my app', true],
  ['a:b', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['a\\b', false],
  ['/a', false],
  ['file:///a', false],
])('%j is a bare name: %s', (text, expected) => {
  expect(isBareName(text)).toBe(expected);
});
