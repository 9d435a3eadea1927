import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { serveOptions } from '../../serve/settings/serve-options.ts';
import { createServeFlags, serveCommand } from './serve.ts';

test('its help explains usage, flags and exit codes', () => {
  const { fullDescription } = serveCommand;
  expect(fullDescription).toContain('Speaks MCP on stdin and stdout');
  expect(fullDescription).toContain('rootward serve ~/code/app --allow remove');
  expect(fullDescription).toContain('Exit codes: 0 ended, 2 wrong usage or settings, 3 failed.');
});

test('its description has no line that a terminal would wrap', () => {
  const lines = serveCommand.fullDescription?.split('\n') ?? [];
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
});

test('does not promise that directories are a limit on stdio', () => {
  expect(serveCommand.fullDescription).not.toContain('at most');
  expect(serveCommand.fullDescription).toContain('--merge intersect');
});

test('takes one line in the list of commands', async () => {
  const { stdout } = await runInMemory('/', ['--help']);
  expect(stdout.split('\n')).toContain('  rootward serve [DIR...] [flags]');
  expect(stdout).not.toContain('--shell-tmp');
});

test('every option has an optional flag', () => {
  const flags = createServeFlags();
  expect(Object.keys(flags)).toEqual(Object.keys(serveOptions));
  for (const flag of Object.values(flags)) expect(flag).toMatchObject({ optional: true });
});

test('the help lists each flag as written on a command line', async () => {
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
  [['--workers', '0'], 'not a whole number from 1 to 999'],
  [['--shell-timeout', '0'], 'not a whole number'],
  [['--shell-concurrent', '1e3'], 'not a whole number from 1 to 1000'],
  [['--shell-env', 'A=b'], 'not the name of an environment variable'],
])('%j is refused', async (argv, named) => {
  expect(await runInMemory('/', ['serve', ...argv])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(named),
  });
});
