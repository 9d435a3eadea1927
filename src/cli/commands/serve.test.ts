import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { serveOptions } from '../../serve/settings/serve-options.ts';
import { createServeFlags, serveCommand } from './serve.ts';

test('tells in its help what it does, how to call it, and what it answers to a program', () => {
  const { fullDescription } = serveCommand;
  expect(fullDescription).toContain('Speaks MCP on stdin and stdout');
  expect(fullDescription).toContain('rootward serve ~/code/app --allow remove');
  expect(fullDescription).toContain('Exit codes: 0 ended, 2 wrong usage or settings, 3 failed.');
});

test('has no line in its description that a terminal would break', () => {
  const lines = serveCommand.fullDescription?.split('\n') ?? [];
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
});

test('does not promise on stdio that directories are the most', () => {
  expect(serveCommand.fullDescription).not.toContain('at most');
  expect(serveCommand.fullDescription).toContain('--merge intersect');
});

test('takes one line where all commands are listed', async () => {
  const { stdout } = await runInMemory('/', ['--help']);
  expect(stdout.split('\n')).toContain('  rootward serve [DIR...] [flags]');
  expect(stdout).not.toContain('--shell-tmp');
});

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
