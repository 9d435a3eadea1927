import { describe, expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import type { Moment } from './composition.ts';
import { gatherSignals, type Hearing } from './gather-signals.ts';
import { readSettings } from '../settings/settings.ts';

const { roots: listed } = parseRoots([{ uri: 'file:///client/app' }]);

const moment: Moment = {
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
  revision: 1,
};

const settings = readSettings({ cwd: '/server', environment: { PWD: '/server' } });
const hearing: Hearing = { bound: { kind: 'none' }, detected: false, operatorOnly: false };

test('everything that may tell is there', () => {
  expect(
    gatherSignals({ ...moment, argument: '/x' }, settings, {
      ...hearing,
      bound: { kind: 'place', path: '/y' },
    }),
  ).toEqual({
    roots: moment.answer,
    meta: moment.meta,
    remembered: listed,
    initialize: { rootUri: 'file:///client/app' },
    client: { name: 'goose-cli' },
    environment: { PWD: '/server' },
    cwd: '/server',
    argument: '/x',
    switched: '/y',
  });
});

describe('where only the operator has a say', () => {
  test('and named nothing, the client names nothing either', () => {
    const signals = gatherSignals(moment, settings, { ...hearing, detected: true, operatorOnly: true });
    expect(signals).toEqual({
      roots: { state: 'unsupported' },
      client: { name: 'goose-cli' },
      environment: { PWD: '/server' },
      cwd: '/server',
    });
  });

  test('and named something, the client may choose within it', () => {
    const signals = gatherSignals(moment, settings, { ...hearing, operatorOnly: true });
    expect(signals.roots).toBe(moment.answer);
  });
});

test('over HTTP nobody learns where the server was started, unless that is what counts', () => {
  const remote = { ...moment, overHttp: true };
  expect(gatherSignals(remote, settings, hearing)).not.toHaveProperty('cwd');
  expect(gatherSignals(remote, settings, hearing)).not.toHaveProperty('environment');
  expect(gatherSignals(remote, settings, { ...hearing, detected: true }).cwd).toBe('/server');
});
