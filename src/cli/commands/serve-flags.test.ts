import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/run-in-memory.ts';
import { serveOptions } from '../../serve/settings/serve-options.ts';
import { createServeFlags } from './serve-flags.ts';

test('there is a flag for every option, and none is needed', () => {
  const flags = createServeFlags();
  expect(Object.keys(flags)).toEqual(Object.keys(serveOptions));
  for (const flag of Object.values(flags)) expect(flag).toMatchObject({ optional: true });
});

test('the help names each, as it is written on a command line', async () => {
  const { stdout } = await runInMemory('/', ['serve', '--help']);
  for (const [name, { brief }] of Object.entries(serveOptions)) {
    expect(stdout).toContain(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    expect(stdout).toContain(brief);
  }
});

test.each([
  [['--read-onl'], '--read-onl'],
  [['--no-read-only'], '--no-read-only'],
  [['--merge', 'both'], 'both'],
  [['--allow', 'write,fly'], 'fly'],
  [['--workers', '0'], 'no whole number from 1 to 999'],
  [['--shell-timeout', '0'], 'no whole number'],
  [['--shell-concurrent', '1e3'], 'no whole number from 1 to 1000'],
  [['--shell-env', 'A=b'], 'no name of an environment variable'],
])('%j is refused', async (argv, named) => {
  expect(await runInMemory('/', ['serve', ...argv])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(named),
  });
});
