import { describe, expect, test } from 'vitest';
import { parseServeConfig } from './serve-config.ts';

describe('settings', () => {
  test('may say nothing', () => {
    expect(parseServeConfig({})).toEqual({});
  });

  test('are read as they are written', () => {
    const config = {
      directories: ['/srv/app'],
      project: '/srv/app',
      merge: 'intersect',
      policy: { preset: 'read-only', deny: ['*.sqlite'], roots: { app: { allow: ['write'] } } },
      markers: ['.blue'],
      logFile: 'rootward.log',
      debug: true,
      http: '127.0.0.1:3917',
      hosts: ['files.example'],
      origins: ['https://files.example'],
      tokenFile: 'token',
      sessions: 'redis://127.0.0.1:6379',
      sealingKeyFile: 'key',
      workers: 4,
      allowUnconfinedShell: false,
    };
    expect(parseServeConfig(config)).toEqual(config);
  });

  test.each<[title: string, value: unknown, where: string, reason: RegExp]>([
    ['an unknown key', { directorys: [] }, 'directorys', /^it is unknown; keys are: directories,/],
    ['a list that is none', { directories: '/srv' }, 'directories', /^it is a string, not a list$/],
    ['a mode that is none', { merge: 'both' }, 'merge', /^it is "both"; modes are: union,/],
    [
      'a policy with a misspelled key',
      { policy: { alow: [] } },
      'policy.alow',
      /^it is unknown; keys are: preset,/,
    ],
    ['a policy with a glob that is none', { policy: { deny: ['!x'] } }, 'policy.deny[0]', /./],
    ['a switch that is a text', { debug: 'yes' }, 'debug', /^it is a string, not true or false$/],
    ['half a process', { workers: 0.5 }, 'workers', /^it is no number from 1 to 999$/],
    ['a list at the top', [], 'at the top', /^it is a list, not an object/],
  ])('with %s are refused', (_title, value, where, reason) => {
    expect(() => parseServeConfig(value)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        data: { where, reason: expect.stringMatching(reason) as unknown },
      }) as Error,
    );
  });
});
