import { delimiter } from 'node:path';
import { z } from 'zod';
import { Turnstile } from '../base/turnstile.ts';
import type { Confinement } from '../boundary/process/confinement.ts';
import { systemPlaces } from '../boundary/process/sandbox-arguments.ts';
import type { RunLimits } from '../boundary/process/supervise.ts';
import type { RunOptions } from '../boundary/process/unchecked-run.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import type { Location } from '../workspace/workspace.ts';
import { shellOutput, shellResult, type ShellRun } from './shell-result.ts';
import { pathText } from './tool/answer-limits.ts';
import { reach } from './tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall } from './tool/tool.ts';

/** What the operator says about command lines. */
export interface ShellOptions {
  /** From `probeConfinement`, asked once at the start. */
  readonly confinement: Confinement;
  /** Run without a sandbox where there is none; no by default. */
  readonly allowUnconfined?: boolean;
  /** Whether a call may ask for the network; no by default. */
  readonly allowNetwork?: boolean;
  /** Absolute directories that the sandbox shows, read-only: toolchains. No rule holds there. */
  readonly readable?: readonly string[];
  /** Names of environment variables that are passed on. */
  readonly passEnvironment?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<ShellLimits>;
}

export interface ShellLimits extends RunLimits {
  /** Bytes in `/tmp`, which is empty at the beginning and gone at the end. */
  readonly temporary: number;
  /** Command lines at a time; others wait, no longer than they would run. */
  readonly concurrent: number;
}

const mebibyte = 1_048_576;

const defaultLimits: ShellLimits = {
  milliseconds: 600_000,
  kept: 65_536,
  output: 64 * mebibyte,
  memory: 4_096 * mebibyte,
  processes: 512,
  temporary: 512 * mebibyte,
  concurrent: 4,
};

/** How many may wait for a place, for each place. */
const waitingPerPlace = 8;

/** Seconds that a command line gets if it asks for none. */
const patience = 120;

/**
 * The tool that runs command lines; `undefined` where nothing can confine them and the operator did not allow
 * to do without. Still nothing runs unless the policy allows `execute`. What the sandbox holds to, and what
 * not, is said at `runConfined`.
 *
 * One command line sees one root: the one that its directory lies in.
 *
 * @example
 * ```ts
 * createShell({ confinement: { kind: 'none', reason: 'not Linux' } }) // → undefined
 * const tool = createShell({ confinement: { kind: 'none', reason: 'not Linux' }, allowUnconfined: true });
 * tool.operations // → ['execute']
 * ```
 */
export function createShell(options: ShellOptions): Tool | undefined {
  const { confinement, allowUnconfined = false, allowNetwork = false } = options;
  if (confinement.kind === 'none' && !allowUnconfined) return undefined;
  const isOpen = allowNetwork || confinement.kind === 'none';
  const tool = defineShell(options);
  return { ...tool, annotations: { ...tool.annotations, openWorldHint: isOpen } };
}

function defineShell(options: ShellOptions): Tool {
  const places = options.limits?.concurrent ?? defaultLimits.concurrent;
  const turnstile = new Turnstile({ places, waiting: places * waitingPerPlace });
  const longest = (options.limits?.milliseconds ?? defaultLimits.milliseconds) / 1_000;
  return defineTool({
    name: 'shell',
    title: 'Run a command line',
    description: describe(options),
    operations: ['execute'],
    effect: 'change',
    input: z.object({
      command: z.string().min(1).max(65_536).describe('For the shell of the system, usually bash'),
      cwd: pathText.default('.').describe('Where to run it; the project by default'),
      timeout: z.number().positive().max(longest).default(Math.min(patience, longest)).describe('Seconds'),
      network: z.boolean().default(false).describe('Ask for the network'),
    }),
    output: shellOutput,
    run: (input, call) =>
      reach(call, { operation: 'execute', path: input.cwd, detail: detailOf(input) }, async (location) => {
        if (input.network && options.allowNetwork !== true) throw noNetwork(input.cwd, location);
        const run = (): Promise<ShellRun> => runOne(options, { ...input, location, call });
        const wait = { milliseconds: input.timeout * 1_000, signal: call.signal };
        const ended = await turnstile.pass(run, wait);
        if (ended === 'full') throw tooMany(input.cwd);
        return shellResult(ended);
      }),
  });
}

/** What a person is asked about, and what the entry says was run. */
function detailOf({ command, network }: { readonly command: string; readonly network: boolean }): string {
  return network ? `with the network: ${command}` : command;
}

function describe({ confinement, allowNetwork = false }: ShellOptions): string {
  const common =
    'Runs one command line in the project and answers with its exit code and output. It starts anew each ' +
    'time: no input, no terminal, and whatever still runs at its end is killed. ';
  if (confinement.kind === 'none')
    return `${common}NOT CONFINED on this system: it can reach whatever its user can.`;
  const network = allowNetwork ? 'no network unless asked for' : 'no network';
  return `${common}It sees the root of its directory, the programs of the system and an empty /tmp, nothing else; ${network}.`;
}

function noNetwork(path: string, { root }: Location): RootwardError<'DENIED'> {
  const reason = 'whoever runs the server does not allow the network';
  return new RootwardError('DENIED', {
    operation: 'execute',
    path,
    root: root.name,
    rule: 'shell-network',
    reason,
  });
}

function tooMany(path: string): RootwardError<'BUSY'> {
  const remedy = 'Too many command lines run already: wait until some have ended, then try again';
  return new RootwardError('BUSY', { verb: 'run a command line in', path, remedy });
}

interface CommandToRun {
  readonly command: string;
  readonly timeout: number;
  readonly network: boolean;
  readonly location: Location;
  readonly call: ToolCall;
}

async function runOne(options: ShellOptions, wish: CommandToRun): Promise<ShellRun> {
  const { command, timeout, network, call } = wish;
  const { confinement, readable = [], passEnvironment: pass = [], environment = process.env } = options;
  const limits = { ...defaultLimits, ...options.limits, milliseconds: timeout * 1_000 };
  const confined = confinement.kind !== 'none';
  const env = shellEnvironment(environment, { confined, pass, readable });
  const { boundary, relative } = wish.location;
  const report = startReport(call, limits.milliseconds);
  const run: RunOptions = { command, env, limits, signal: call.signal, onOutput: report.output };
  try {
    const end = confined
      ? await boundary.runConfined(relative, { ...run, ...limits, confinement, network, readable })
      : await boundary.runUnchecked(relative, run);
    return { end, network, limits };
  } finally {
    report.end();
  }
}

/** Once a second, also while nothing is written: a client may wait only as long as it hears something. */
function startReport(call: ToolCall, total: number): { output: (bytes: number) => void; end: () => void } {
  const started = performance.now();
  let written = 0;
  const timer = setInterval(() => {
    const done = Math.round(performance.now() - started);
    call.progress(done, total, `${written} bytes of output after ${Math.round(done / 1_000)} s`);
  }, 1_000);
  return {
    output: (bytes) => {
      written = bytes;
    },
    end: () => clearInterval(timer),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  readonly confined: boolean;
  /** Names that the operator passes on, beyond the few that are harmless. */
  readonly pass: readonly string[];
  /** Directories that the sandbox shows in addition. */
  readonly readable: readonly string[];
}

/** How text and time are written. Nothing in them is secret, and programs misbehave without. */
const harmless = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ'] as const;

/** What a program needs to find its own things, where nothing hides those from it. */
const ownPlaces = {
  posix: ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  win32: 'Path PATH PATHEXT SystemRoot SystemDrive ComSpec windir TEMP TMP USERPROFILE APPDATA LOCALAPPDATA'
    .concat(' ProgramFiles ProgramData')
    .split(' '),
} as const;

/** No colours and no pagers: nobody sits at a terminal. */
const plainOutput = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat' } as const;

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;

/** The environment of a command line: a short list out of ours, and never the rest. */
export function shellEnvironment(
  source: Environment,
  { confined, pass, readable }: EnvironmentOptions,
): Readonly<Record<string, string>> {
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  const names = [...harmless, ...(confined ? [] : ownPlaces[platform]), ...pass];
  const passed = Object.fromEntries(
    names
      .map((name) => [name, source[name]] as const)
      .filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (!confined) return { ...passed, ...plainOutput };
  const places = { PATH: visiblePath(source['PATH'], readable), HOME: '/tmp', TMPDIR: '/tmp' };
  return { ...places, ...passed, ...plainOutput };
}

/** Only what is there in the sandbox. */
function visiblePath(path: string | undefined, readable: readonly string[]): string {
  const shown = [...systemPlaces, ...readable];
  const own = (path ?? '')
    .split(delimiter)
    .filter((directory) => shown.some((place) => isInside(place, directory)));
  return [...new Set([...own, ...systemPath])].join(delimiter);
}
