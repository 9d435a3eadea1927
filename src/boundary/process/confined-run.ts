import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { RootwardError } from '../../errors.ts';
import { openDirectory } from '../read/list.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { requireKept } from '../step/kept-places.ts';
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
import { openShown, type ShownPlaces } from './shown-places.ts';
import type { RunEnd } from './supervise.ts';
import { type RunOptions, tellStart, watchRun } from './unchecked-run.ts';

export interface ConfinedOptions extends RunOptions {
  readonly confinement: FoundBubblewrap;
  /** Whether it may use the network of this machine, and all that listens there. */
  readonly network: boolean;
  /** Absolute directories outside of the root that can be read. Nobody's rules hold there. */
  readonly readable?: readonly string[];
  /** Bytes in `/tmp`. */
  readonly temporary: number;
}

export interface ConfinedEnd extends RunEnd {
  /** Whether the root could be changed. */
  readonly writable: boolean;
  /** How many files and directories of the root were hidden. */
  readonly hidden: number;
}

/**
 * Runs a command line in a directory of the root, in a sandbox that holds nothing but the root, the programs
 * of the system, and an empty `/tmp`. The root is the one that is held open, whatever its name leads to by
 * now. All processes end with the command, or with this process.
 *
 * The guard holds in there as far as mounts can express it, from one look at every name of the root:
 * - what must not be read, listed or executed is empty; its name can be seen;
 * - the root is read-only unless it may be written and removed from, because no mount tells these apart;
 * - what must not be written or removed is read-only, and no directory around such a thing can be renamed.
 *
 * Not guaranteed: names that come into being while it runs, or in the moment between the look and the start,
 * are not judged: a command that can write can make a `.env`. A second name of a hidden file (a hard link)
 * is judged by its own name. What may be read can be copied to where it may be written. The disk is not
 * bounded, nor is the processor. There is no filter on system calls: the kernel is trusted, and so is
 * bubblewrap. With the network, everything that listens on this machine can be reached.
 *
 * @throws {RootwardError} `CANNOT_CONFINE`, `TREE_TOO_LARGE`, what the guard says of the root, and what
 * opening the directory throws
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
  tellStart(context, child, relative);
  const end = await watchRun(context, child, options).catch((error: unknown) => {
    throw notSetUp(path, error);
  });
  // Without a word on how the program ended, it never began.
  if (end.stopped === undefined && !(await status).includes('"exit-code"'))
    throw notSetUp(path, new Error(end.stderr.text.slice(0, 1_000)));
  return { ...end, writable, hidden: masks.hidden };
}

/** What bubblewrap says names places outside of the root. */
function notSetUp(path: string, cause: unknown): RootwardError<'CANNOT_CONFINE'> {
  return new RootwardError('CANNOT_CONFINE', { path, reason: 'the sandbox could not be set up' }, { cause });
}

/** The way there is asked about; where it leads is known by real names. */
function visit(context: BoundaryContext, request: BoundaryRequest): { readonly relative: string } {
  const { directory, relative } = openDirectory(context, request);
  context.driver.close(directory);
  return { relative };
}

/** Places that a sandbox needs for itself. */
const reserved = /^\/(?:$|(?:proc|sys|dev)(?:\/|$)(?!shm\/.))/;

function requirePlace({ spellings, only }: BoundaryContext, { path }: BoundaryRequest): string {
  const top = spellings.at(-1) ?? '/';
  if (only !== undefined || reserved.test(top)) {
    const reason = only === undefined ? 'the root is a place of the system' : 'the root is one file';
    throw new RootwardError('CANNOT_CONFINE', { path, reason });
  }
  return top;
}

/** Everything in a sandbox can be seen, so who may not look may not run. */
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
  /** What bubblewrap says of the program, once it has ended. */
  readonly status: Promise<string>;
}

/** Handles begin after the three streams: the root, what masks hold, what is shown beside it, where it ends. */
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

/** What somebody else left open for us is replaced by nothing: it would be open in the sandbox as well. */
function streams(handles: readonly number[], nothing: number): ('ignore' | 'pipe' | number)[] {
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe', ...handles, 'pipe'];
  for (const leaked of findLeakedHandles().toSorted((one, other) => one - other)) {
    if (leaked < stdio.length) continue;
    while (stdio.length < leaked) stdio.push('ignore');
    stdio.push(nothing);
  }
  return stdio;
}

/** Read to the end while the program runs, because it waits otherwise. */
async function readStatus(pipe: ChildProcess['stdio'][number] | undefined): Promise<string> {
  if (!(pipe instanceof Readable)) return '';
  let text = '';
  try {
    for await (const chunk of pipe) text = (text + String(chunk)).slice(-4_096);
  } catch {
    // What was read until then counts.
  }
  return text;
}

const closeOnExec = 0o2000000;

/** More than anybody hands on, and what a list of handles may reasonably be filled up to. */
const highest = 4_095;

/**
 * Numbers of handles that every program started here would inherit, although nobody meant it to: whoever
 * started this process left them open. Node closes the low ones by itself. Linux alone; none elsewhere.
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
    // The one that was reading the list.
    return false;
  }
}
