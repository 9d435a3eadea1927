import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { RootwardError } from '../../errors.ts';
import { openDirectory } from '../read/list.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { translate } from '../system/errno.ts';
import { type FoundBubblewrap, presentMasks } from './confinement.ts';
import { systemShell } from './find-program.ts';
import { findMasks } from './find-masks.ts';
import {
  limitedProgram,
  sandboxArguments,
  type SandboxMask,
  type TreeMask,
  type TreeMasks,
} from './sandbox-arguments.ts';
import { openShown, requireKept, type ShownPlaces } from './shown-places.ts';
import type { RunEnd } from './supervise.ts';
import { type RunOptions, reportStart, watchRun } from './unchecked-run.ts';

export interface ConfinedOptions extends RunOptions {
  readonly confinement: FoundBubblewrap;
  /** Whether it may use the network of this machine, and all services that listen there. */
  readonly network: boolean;
  /** Absolute directories outside of the root that can be read. No rules apply there. */
  readonly readable?: readonly string[];
  /** Size of `/tmp` in bytes. */
  readonly temporary: number;
}

export interface ConfinedEnd extends RunEnd {
  /** Whether the root could be changed. */
  readonly writable: boolean;
  /** The number of hidden files and directories of the root. */
  readonly hidden: number;
}

/**
 * Runs a command line in a directory of the root, in a sandbox that contains only the root, the programs of
 * the system, and an empty `/tmp`. The root is the directory that is held open, wherever its name leads by
 * now. All processes end with the command, or with this process.
 *
 * The guard is enforced as far as mounts can express it, from one scan of every name in the root:
 * - entries that must not be read, listed or executed are empty; their names are visible;
 * - the root is read-only unless both writing and removing are permitted, because mounts cannot separate the
 *   two;
 * - entries that must not be written or removed are read-only, and no directory around them can be renamed.
 *
 * Not guaranteed: names that are created while it runs, or between the scan and the start, are not judged: a
 * command that can write can create a `.env`. A second name of a hidden file (a hard link) is judged by its
 * own name. A readable file can be copied to a writable place. Disk and processor are not limited. System
 * calls are not filtered: the kernel and bubblewrap are trusted. With the network, every service on this
 * machine can be reached.
 *
 * @throws {RootwardError} `CANNOT_CONFINE`, `TREE_TOO_LARGE`, the guard's refusal of the root, and the errors
 * of opening the directory
 */
export async function runConfined(
  context: BoundaryContext,
  path: string,
  options: ConfinedOptions,
): Promise<ConfinedEnd> {
  const request: BoundaryRequest = { operation: 'execute', verb: 'run a program in', path };
  options.signal?.throwIfAborted();
  const { relative } = visit(context, request);
  const top = requirePlace(context, request);
  requireSight(context);
  const writable = isWritable(context);
  if (writable) requireKept(context, request);
  using masks = await findMasks(context, { writable, request, signal: options.signal });
  using shown = openShown(context, options.readable ?? [], request);
  const directory = posix.join(top, relative);
  const stage: SandboxStage = { context, options, masks, shown, writable, top, directory };
  askWitness(context, request, relative);
  const { child, status } = start(stage, request);
  reportStart(context, child, relative);
  const end = await watchRun(context, child, options).catch((error: unknown) => {
    throw notSetUp(path, error);
  });
  // Without a reported exit code, the program never started.
  if (end.stopped === undefined && !(await status).includes('"exit-code"'))
    throw notSetUp(path, new Error(end.stderr.text.slice(0, 1_000)));
  return { ...end, writable, hidden: masks.hidden };
}

/** Hides bubblewrap's message, which names places outside of the root. */
function notSetUp(path: string, cause: unknown): RootwardError<'CANNOT_CONFINE'> {
  return new RootwardError('CANNOT_CONFINE', { path, reason: 'the sandbox could not be set up' }, { cause });
}

/** Checks the way to the directory, and returns its real path. */
function visit(context: BoundaryContext, request: BoundaryRequest): { readonly relative: string } {
  const { directory, relative } = openDirectory(context, request);
  context.driver.close(directory);
  return { relative };
}

/** Places that the sandbox needs itself. */
const reserved = /^\/(?:$|(?:proc|sys|dev)(?:\/|$)(?!shm\/.))/;

function requirePlace({ spellings, only }: BoundaryContext, { path }: BoundaryRequest): string {
  const top = spellings.at(-1) ?? '/';
  if (only !== undefined || reserved.test(top)) {
    const reason = only === undefined ? 'the root is a place of the system' : 'the root is one file';
    throw new RootwardError('CANNOT_CONFINE', { path, reason });
  }
  return top;
}

/** Everything in a sandbox is visible, so running requires read, list and execute on the root. */
function requireSight({ guard }: BoundaryContext): void {
  for (const operation of ['read', 'list', 'execute'] as const) {
    const refusal = guard?.(operation, '.', true);
    if (refusal !== undefined) throw refusal;
  }
}

function isWritable({ guard }: BoundaryContext): boolean {
  return (['write', 'remove'] as const).every((operation) => guard?.(operation, '.', true) === undefined);
}

interface SandboxStage {
  readonly context: BoundaryContext;
  readonly options: ConfinedOptions;
  readonly masks: TreeMasks;
  readonly shown: ShownPlaces;
  readonly writable: boolean;
  readonly top: string;
  readonly directory: string;
}

interface StartedSandbox {
  readonly child: ChildProcess;
  /** Bubblewrap's report on the program, complete once it has ended. */
  readonly status: Promise<string>;
}

/** Handles follow the three standard streams: the root, those of masks, those of shown places, the status. */
const firstHandle = 3;

function start(stage: SandboxStage, request: BoundaryRequest): StartedSandbox {
  const { context, options, masks } = stage;
  const { file, args } = systemShell(options.command);
  const program = limitedProgram(file, args, options.limits);
  const nothing = openSync('/dev/null', 'r+');
  try {
    const held = masks.masks.flatMap((mask) => handlesOf(mask, nothing));
    const handles = [context.top.fd, ...held, ...stage.shown.places.map((place) => place.held.fd)];
    const child = spawn(options.confinement.program, [...argumentsOf(stage, handles), ...program], {
      env: { ...options.env },
      stdio: streams(handles, nothing),
      detached: true,
    });
    return { child, status: readStatus(child.stdio[firstHandle + handles.length]) };
  } catch (error) {
    throw translate(error, request);
  } finally {
    closeSync(nothing);
  }
}

function handlesOf(mask: TreeMask, nothing: number): readonly number[] {
  if (mask.cover !== 'hide') return [mask.held.fd];
  return mask.directory ? [] : [nothing];
}

function argumentsOf(
  { options, masks, shown, writable, top, directory }: SandboxStage,
  handles: readonly number[],
): readonly string[] {
  const { confinement, network, temporary } = options;
  const statusHandle = firstHandle + handles.length;
  const firstShown = statusHandle - shown.places.length;
  return sandboxArguments({
    top,
    topHandle: firstHandle,
    writable,
    directory,
    masks: numberMasks(masks),
    statusHandle,
    network,
    readable: shown.places.map(({ path }, index) => ({ path, handle: firstShown + index })),
    masked: presentMasks(),
    temporary,
    refusesNesting: confinement.refusesNesting,
  });
}

/** In the order of their handles. */
function numberMasks({ masks }: TreeMasks): readonly SandboxMask[] {
  let handle = firstHandle;
  return masks.map((mask) => {
    const { cover, path } = mask;
    if (cover === 'hide' && mask.directory) return { cover: 'empty', path };
    handle += 1;
    return { cover: cover === 'hide' ? 'blank' : cover, path, handle };
  });
}

/** Replaces handles that the parent process leaked by `/dev/null`, because the sandbox would inherit them. */
function streams(handles: readonly number[], nothing: number): ('ignore' | 'pipe' | number)[] {
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe', ...handles, 'pipe'];
  for (const leaked of findLeakedHandles().toSorted((one, other) => one - other)) {
    if (leaked < stdio.length) continue;
    while (stdio.length < leaked) stdio.push('ignore');
    stdio.push(nothing);
  }
  return stdio;
}

/** Reads to the end while the program runs, because a full pipe would block it. */
async function readStatus(pipe: ChildProcess['stdio'][number] | undefined): Promise<string> {
  if (!(pipe instanceof Readable)) return '';
  let text = '';
  try {
    for await (const chunk of pipe) text = (text + String(chunk)).slice(-4_096);
  } catch {
    // Use the part that was read.
  }
  return text;
}

const closeOnExec = 0o2000000;

/** Upper limit for inherited handles. */
const highest = 4_095;

/**
 * Finds handles that every program started here would inherit unintentionally, because the parent of this
 * process left them open. Node closes the low ones itself. On Linux only; none elsewhere.
 */
export function findLeakedHandles(): readonly number[] {
  try {
    const numbers = readdirSync('/proc/self/fd').map(Number);
    return numbers.filter((fd) => fd > 2 && fd <= highest && isInherited(fd));
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(?<flags>[0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
    return (Number.parseInt(flags?.groups?.['flags'] ?? '0', 8) & closeOnExec) === 0;
  } catch {
    // The handle that listed the directory is closed by now.
    return false;
  }
}
