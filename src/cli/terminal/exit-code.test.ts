import { expect, test } from 'vitest';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { exitCode, refuseUsage } from './exit-code.ts';

test('exit codes are stable', () => {
  expect(exitCode).toEqual({ ok: 0, refused: 1, usage: 2, failed: 3 });
});

test('prints the reason on stderr, and exits with 2', () => {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text) };
  const context: CliContext = { process: { stdout: { write: () => undefined }, stderr }, cwd: '/' };
  refuseUsage(context, 'no');
  expect([written, context.process.exitCode]).toEqual([['no\n'], 2]);
});
