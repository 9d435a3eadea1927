import { describe, expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { readSettings } from '../settings/settings.ts';
import type { CompositionInput } from './composition.ts';
import { bindSwitch, gatherSignals, type SignalScope, isBareName } from './gather-signals.ts';

const { roots: listed } = parseRoots([{ uri: 'file:///client/app' }]);

const input: CompositionInput = {
  answer: { state: 'listed', roots: listed },
  remembered: {
    generation: 0,
    answered: 0,
    answer: { state: 'listed', roots: listed },
    listed,
    initialize: { rootUri: 'file:///client/app' },
  },
  client: { name: 'goose-cli' },
  overHttp: false,
  meta: { 'agent-working-dir': '/client/app' },
  argument: undefined,
  canSwitch: true,
  canAsk: false,
  revision: 1,
};

const settings = readSettings({ cwd: '/server', environment: { PWD: '/server' } });
const scope: SignalScope = { bound: { kind: 'none' }, detected: false, operatorOnly: false };

test('gathers all signals', () => {
  expect(
    gatherSignals({ ...input, argument: '/x' }, settings, {
      ...scope,
      bound: { kind: 'place', path: '/y' },
    }),
  ).toEqual({
    roots: input.answer,
    meta: input.meta,
    remembered: listed,
    initialize: { rootUri: 'file:///client/app' },
    client: { name: 'goose-cli' },
    environment: { PWD: '/server' },
    cwd: '/server',
    argument: '/x',
    switched: '/y',
  });
});

describe('if only the operator decides', () => {
  test('and named nothing, signals of the client are ignored', () => {
    const signals = gatherSignals(input, settings, { ...scope, detected: true, operatorOnly: true });
    expect(signals).toEqual({
      roots: { state: 'unsupported' },
      client: { name: 'goose-cli' },
      environment: { PWD: '/server' },
      cwd: '/server',
    });
  });

  test('and named something, the client may choose within it', () => {
    const signals = gatherSignals(input, settings, { ...scope, operatorOnly: true });
    expect(signals.roots).toBe(input.answer);
  });
});

test('omits the start directory over HTTP, unless it is a source', () => {
  const remote = { ...input, overHttp: true };
  expect(gatherSignals(remote, settings, scope)).not.toHaveProperty('cwd');
  expect(gatherSignals(remote, settings, scope)).not.toHaveProperty('environment');
  expect(gatherSignals(remote, settings, { ...scope, detected: true }).cwd).toBe('/server');
});

const { roots } = parseRoots([{ uri: 'file:///srv/app' }, { uri: 'file:///srv/docs', name: 'Manual' }]);

describe('with roots', () => {
  test.each([
    ['a basename', 'app', '/srv/app'],
    ['the name of a root', 'Manual', '/srv/docs'],
    ['the basename of a root with another name', 'docs', '/srv/docs'],
    ['a path', '/srv/app', '/srv/app'],
    ['a path within', '/srv/app/lib', '/srv/app/lib'],
    ['a file URI', 'file:///srv/docs/a%20b', '/srv/docs/a b'],
  ])('%s is accepted as a path', (_name, text, path) => {
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
  ])('%s is not accepted', (text) => {
    expect(bindSwitch({ text }, roots)).toEqual({ kind: 'ended' });
  });

  test('a person can grant a path, but not a name', () => {
    expect(bindSwitch({ text: '/etc', consented: true }, roots)).toMatchObject({
      kind: 'place',
      path: '/etc',
      root: { path: '/etc' },
    });
    expect(bindSwitch({ text: 'other', consented: true }, roots)).toEqual({ kind: 'ended' });
  });
});

describe('without roots', () => {
  test('a name is accepted', () => {
    expect(bindSwitch({ text: 'app' }, [])).toEqual({ kind: 'name', name: 'app' });
  });

  test.each(['/srv/app', 'file:///srv/app', '..', 'a/b', ''])('%s is not accepted', (text) => {
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
