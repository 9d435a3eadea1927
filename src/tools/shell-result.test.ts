import { expect, test } from 'vitest';
import type { ConfinedEnd } from '../boundary/process/confined-run.ts';
import type { RunEnd } from '../boundary/process/supervise.ts';
import { shellOutput, shellResult } from './shell-result.ts';

const limits = { milliseconds: 2_000, memory: 1_024, processes: 8 };
const empty = { text: '', bytes: 0, omitted: 0 };
const ended: RunEnd = {
  code: 0,
  stdout: { text: 'out\n', bytes: 4, omitted: 0 },
  stderr: empty,
  milliseconds: 1_234,
};

function text(end: RunEnd | ConfinedEnd): string {
  const { content, structuredContent } = shellResult({ end, network: false, limits });
  expect(shellOutput.strict().parse(structuredContent)).toEqual(structuredContent);
  return content.map((block) => ('text' in block ? block.text : '')).join('');
}

test('a normal run in a sandbox has no notes', () => {
  expect(text({ ...ended, writable: true, hidden: 0 })).toBe('Exit code 0 after 1.2 s\n--- stdout\nout');
});

test('explains surprising effects of a sandbox', () => {
  expect(text({ ...ended, writable: false, hidden: 2 })).toContain(
    '[In the sandbox files of the root could only be read, because the policy does not allow write and remove; ' +
      '2 files or directories seemed empty, because rules hide them.]',
  );
  expect(text({ ...ended, code: 127, writable: true, hidden: 0 })).toContain('[A program was not found.');
  expect(
    text({ ...ended, writable: true, hidden: 0, stdout: { ...empty, text: 'a', omitted: 9 } }),
  ).toContain('[Output was cut in the middle');
});

test('warns about a run without a sandbox', () => {
  expect(text(ended)).toContain('[UNCONFINED: this command ran without a sandbox.');
  expect(shellResult({ end: ended, network: false, limits }).structuredContent).toMatchObject({
    confined: false,
    network: true,
    writable: true,
  });
});

test.each(['time', 'output', 'memory', 'processes', 'cancelled'] as const)(
  'a stop for %s is explained',
  (stopped) => {
    const { code: _, ...rest } = ended;
    const said = text({ ...rest, stopped, signal: 'SIGKILL', writable: true, hidden: 0 });
    expect(said).toMatch(/^Ended by SIGKILL after 1.2 s\n/);
    expect(said).toContain('[Killed with everything it started: ');
  },
);
