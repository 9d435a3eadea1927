import { delimiter } from 'node:path';
import { z } from 'zod';
import { Turnstile } from '../base/turnstile.ts';
import type { Confinement } from '../boundary/process/confinement.ts';
import { systemPlaces } from '../boundary/process/sandbox-arguments.ts';
import type { RunLimits } from '../boundary/process/supervise.ts';
import type { RunOptions } from '../boundary/process/unchecked-run.ts';
import { RootwardError } from '../errors.ts';
import { isRelative } from '../path/file-uri.ts';
import { isInside } from '../path/inside.ts';
import type { Location } from '../workspace/workspace.ts';
import { shellOutput, shellResult, type ShellRun } from './shell-result.ts';
import { pathText } from './tool/answer-limits.ts';
import { defineTool, type Tool, type ToolCall } from './tool/tool.ts';

/** Options of the operator for command lines. */
export interface ShellOptions {
  /** From `probeConfinement`, called once at the start. */
  readonly confinement: Confinement;
  /** Whether to run without a sandbox if there is none; false by default. */
  readonly allowUnconfined?: boolean;
  /** Whether a call may request the network; false by default. */
  readonly allowNetwork?: boolean;
  /** Absolute directories that the sandbox can read, such as toolchains. No rule applies there. */
  readonly readable?: readonly string[];
  /** Names of environment variables that are passed on. */
  readonly passEnvironment?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<ShellLimits>;
}

export interface ShellLimits extends RunLimits {
  /** Size of `/tmp` in bytes, which is empty at the beginning and removed at the end. */
  readonly temporary: number;
  /** Maximum number of concurrent command lines; others wait up to their own timeout. */
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

/** Maximum number of waiting command lines per running one. */
const waitingPerPlace = 8;

/** Default timeout, in seconds. */
const patience = 120;

/**
 * Creates the tool that runs command lines; `undefined` if no sandbox is available and the operator did not allow to
 * run without one. Even then a command runs only if the policy allows `execute`. See `runConfined` for the
 * guarantees of the sandbox.
 *
 * A command line sees one root: the one that contains its directory.
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
      timeout: z.number().min(0.001).max(longest).default(Math.min(patience, longest)).describe('Seconds'),
      network: z.boolean().default(false).describe('Ask for the network'),
    }),
    output: shellOutput,
    run: async (input, call) => {
      const path = await directoryOf(input, call);
      return call.reach({ operation: 'execute', path, detail: detailOf(input) }, async (location) => {
        if (input.network && options.allowNetwork !== true) throw noNetwork(input.cwd, location);
        const run = (): Promise<ShellRun> => runOne(options, { ...input, location, call });
        const wait = { milliseconds: input.timeout * 1_000, signal: call.signal };
        const ended = await turnstile.pass(run, wait);
        if (ended === 'full') throw tooMany(input.cwd);
        // A command line that was killed because its call was cancelled is not done.
        if (ended.end.stopped === 'cancelled') call.signal.throwIfAborted();
        return shellResult(ended);
      });
    },
  });
}

/** A server that reads `cwd` as the project of the call has started there already. */
async function directoryOf({ cwd }: { readonly cwd: string }, call: ToolCall): Promise<string> {
  if (!isRelative(cwd) || cwd === '.') return cwd;
  const { source } = await call.workspace();
  return source === 'argument' ? '.' : cwd;
}

/** The text shown to a person who is asked, and recorded in the audit. */
function detailOf({ command, network }: { readonly command: string; readonly network: boolean }): string {
  return network ? `with the network: ${command}` : command;
}

function describe({ confinement, allowNetwork = false }: ShellOptions): string {
  const common =
    'Runs one command line in the project and answers with its exit code and output. Each call starts a ' +
    'new shell: no input, no terminal, and whatever still runs at its end is killed. ';
  if (confinement.kind === 'none')
    return `${common}NOT CONFINED on this system: it can reach whatever its user can.`;
  const network = allowNetwork ? 'no network unless asked for' : 'no network';
  return `${common}It sees the root of its directory, the programs of the system and an empty /tmp, nothing else; ${network}.`;
}

function noNetwork(path: string, { root }: Location): RootwardError<'DENIED'> {
  const reason = 'the operator of the server does not allow the network';
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

/** Reports once a second, even without output, because a client may time out without progress. */
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
  /** Additional variables that the operator passes on. */
  readonly pass: readonly string[];
  /** Additional directories that the sandbox shows. */
  readonly readable: readonly string[];
}

/** Variables for language and time zone. They hold no secrets, and programs misbehave without them. */
const harmless = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ'] as const;

/** Variables a program needs to find its own files, for runs without a sandbox. */
const ownPlaces = {
  posix: ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  win32: 'Path PATH PATHEXT SystemRoot SystemDrive ComSpec windir TEMP TMP USERPROFILE APPDATA LOCALAPPDATA'
    .concat(' ProgramFiles ProgramData')
    .split(' '),
} as const;

/** No colours and no pagers, because there is no terminal. */
const plainOutput = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat' } as const;

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;

/** Returns the environment of a command line: a short list of variables, never all of them. */
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

/** Keeps only directories that exist in the sandbox. */
function visiblePath(path: string | undefined, readable: readonly string[]): string {
  const shown = [...systemPlaces, ...readable];
  const own = (path ?? '')
    .split(delimiter)
    .filter((directory) => shown.some((place) => isInside(place, directory)));
  return [...new Set([...own, ...systemPath])].join(delimiter);
}
