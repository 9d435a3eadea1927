import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findDirectories } from './own-directory.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the directories of a person', () => {
  test('are absolute, and called after us without a suffix', () => {
    const { config, cache, log, state } = findDirectories({});
    for (const path of [config, cache, log, state]) {
      expect(isAbsolute(path)).toBe(true);
      expect(path).toMatch(/[\\/]rootward(?:[\\/]|$)/);
    }
  });

  test.runIf(process.platform === 'linux')('follow the standard of the platform', () => {
    vi.stubEnv('XDG_CONFIG_HOME', '/somewhere/config');
    expect(findDirectories({}).config).toBe('/somewhere/config/rootward');
  });

  test.runIf(process.platform === 'linux')('ignore a relative variable of the platform', () => {
    vi.stubEnv('XDG_CONFIG_HOME', 'config');
    expect(findDirectories({}).config).toBe(join(homedir(), '.rootward'));
  });

  test('are all in ROOTWARD_HOME if it is set', () => {
    const home = join(homedir(), 'of', 'rootward');
    expect(findDirectories({ ROOTWARD_HOME: home })).toEqual({
      config: home,
      cache: join(home, 'cache'),
      log: join(home, 'log'),
      state: join(home, 'state'),
    });
    expect(findDirectories({ ROOTWARD_HOME: '' })).toEqual(findDirectories({}));
  });

  test('are not guessed from a relative ROOTWARD_HOME', () => {
    expect(() => findDirectories({ ROOTWARD_HOME: './x' })).toThrow('ROOTWARD_HOME is not absolute');
  });
});
