import { expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';
import { serveCommand } from './serve.ts';

test('tells in its help what it does, how to call it, and what it answers to a program', () => {
  const { fullDescription } = serveCommand;
  expect(fullDescription).toContain('Speaks MCP on stdin and stdout');
  expect(fullDescription).toContain('rootward serve ~/code/app --allow remove');
  expect(fullDescription).toContain('Exit codes: 0 ended, 2 wrong usage or settings, 3 failed.');
});

test('does not promise on stdio that directories are the most', () => {
  expect(serveCommand.fullDescription).not.toContain('at most');
  expect(serveCommand.fullDescription).toContain('--merge intersect');
});

test('names every flag in its help', async () => {
  const { stdout } = await runInMemory('/', ['serve', '--help']);
  const flags = [
    'project',
    'merge',
    'read-only',
    'allow',
    'deny',
    'config',
    'log-file',
    'debug',
    'http',
    'token-file',
    'shell-network',
    'shell-env',
    'shell-read',
    'shell-timeout',
    'shell-memory',
    'shell-processes',
    'shell-output',
    'shell-tmp',
  ];
  for (const flag of flags) expect(stdout).toContain(`--${flag}`);
});

test.each([
  [['--read-onl'], '--read-onl'],
  [['--merge', 'both'], 'both'],
  [['--allow', 'write,fly'], 'fly'],
  [['--shell-timeout', '0'], 'no whole number'],
  [['--shell-env', 'A=b'], 'no name of an environment variable'],
])('refuses %j', async (argv, named) => {
  expect(await runInMemory('/', ['serve', ...argv])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(named),
  });
});
