import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/run-in-memory.ts';
import { serveCommand } from './serve.ts';

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
