import { z } from 'zod';
import type { ProgramOutput } from '../boundary/process/captured-output.ts';
import type { ConfinedEnd } from '../boundary/process/confined-run.ts';
import type { RunEnd, StopReason } from '../boundary/process/supervise.ts';
import type { ToolResult } from './tool/tool.ts';

export const shellOutput: z.ZodObject<{
  exitCode: z.ZodOptional<z.ZodNumber>;
  signal: z.ZodOptional<z.ZodString>;
  stopped: z.ZodOptional<z.ZodEnum<{ [Reason in StopReason]: Reason }>>;
  stdout: z.ZodString;
  stderr: z.ZodString;
  stdoutBytes: z.ZodNumber;
  stderrBytes: z.ZodNumber;
  truncated: z.ZodBoolean;
  milliseconds: z.ZodNumber;
  confined: z.ZodBoolean;
  writable: z.ZodBoolean;
  network: z.ZodBoolean;
  hidden: z.ZodNumber;
  notes: z.ZodArray<z.ZodString>;
}> = z.object({
  exitCode: z.number().optional().describe('Absent if a signal ended it'),
  signal: z.string().optional().describe('The signal that ended it'),
  stopped: z
    .enum({
      time: 'time',
      output: 'output',
      memory: 'memory',
      processes: 'processes',
      cancelled: 'cancelled',
    })
    .optional()
    .describe('The limit at which it was killed'),
  stdout: z.string(),
  stderr: z.string(),
  stdoutBytes: z.number().describe('Total size of its output'),
  stderrBytes: z.number(),
  truncated: z.boolean().describe('Whether the output was cut in the middle'),
  milliseconds: z.number(),
  confined: z.boolean().describe('Whether a sandbox kept it in the root'),
  writable: z.boolean().describe('Whether it could change files of the root'),
  network: z.boolean().describe('Whether it could use the network'),
  hidden: z.number().describe('Number of files and directories that rules hid from it'),
  notes: z.array(z.string()).describe('Notes about this run'),
});

export interface ShellRun {
  readonly end: RunEnd | ConfinedEnd;
  readonly network: boolean;
  readonly limits: { readonly milliseconds: number; readonly memory: number; readonly processes: number };
}

/** Describes how a command line ended, as text and as data. */
export function shellResult(run: ShellRun): ToolResult<z.output<typeof shellOutput>> {
  const { end, network } = run;
  const { code, signal, stopped, stdout, stderr, milliseconds } = end;
  const confined = 'writable' in end;
  const notes = notesOn(run);
  const data = {
    ...(code === undefined ? {} : { exitCode: code }),
    ...(signal === undefined ? {} : { signal }),
    ...(stopped === undefined ? {} : { stopped }),
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutBytes: stdout.bytes,
    stderrBytes: stderr.bytes,
    truncated: stdout.omitted + stderr.omitted > 0,
    milliseconds,
    confined,
    writable: confined ? end.writable : true,
    network: confined ? network : true,
    hidden: confined ? end.hidden : 0,
    notes,
  };
  const blocks = [titleOf(end), section('stdout', stdout), section('stderr', stderr), ...notes];
  const text = blocks.filter((block) => block !== '').join('\n');
  return { content: [{ type: 'text', text }], structuredContent: data };
}

function titleOf({ code, signal, milliseconds }: RunEnd): string {
  const seconds = `after ${(milliseconds / 1_000).toFixed(1)} s`;
  if (signal !== undefined) return `Ended by ${signal} ${seconds}`;
  return code === undefined ? `Ended ${seconds}` : `Exit code ${code} ${seconds}`;
}

function section(name: string, { text }: ProgramOutput): string {
  return text === '' ? '' : `--- ${name}\n${text.replace(/\n$/, '')}`;
}

function notesOn({ end, limits }: ShellRun): string[] {
  const isCut = end.stdout.omitted + end.stderr.omitted > 0;
  const notes = [
    end.stopped === undefined ? undefined : stops[end.stopped](limits),
    isCut
      ? 'Output was cut in the middle: ask for less with head, tail or grep, or write it to a file.'
      : undefined,
    'writable' in end ? confinedNote(end) : unconfinedNote,
    'writable' in end && end.code === 127 ? missingNote : undefined,
  ];
  return notes.filter((note) => note !== undefined).map((note) => `[${note}]`);
}

const stops: { readonly [Reason in StopReason]: (limits: ShellRun['limits']) => string } = {
  time: ({ milliseconds }) =>
    `Killed with everything it started: its ${milliseconds / 1_000} s were over. Ask for more with timeout.`,
  output: () => 'Killed with everything it started: it wrote without end.',
  memory: ({ memory }) => `Killed with everything it started: more than ${memory} bytes of memory.`,
  processes: ({ processes }) => `Killed with everything it started: more than ${processes} processes.`,
  cancelled: () => 'Killed with everything it started: the call was cancelled.',
};

/** Mentions only facts that explain a surprise. */
function confinedNote({ writable, hidden }: ConfinedEnd): string | undefined {
  const facts = [
    writable
      ? undefined
      : 'files of the root could only be read, because the policy does not allow write and remove',
    hidden === 0 ? undefined : `${hidden} files or directories seemed empty, because rules hide them`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? undefined : `In the sandbox ${facts.join('; ')}.`;
}

const unconfinedNote =
  'UNCONFINED: this command ran without a sandbox. It could read, change and send anything its user can; no rule of the policy applied.';

const missingNote =
  'A program was not found. Only programs of the system are in the sandbox; the operator of the server can add directories.';
