import { basename, dirname, join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { findRealPlace, settledVersion } from '../../boundary/look/real-place.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { ifThere } from '../../boundary/step/if-there.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';

/** The location of a store: a name in a directory, with all links resolved. */
export interface StorePlace {
  readonly directory: string;
  readonly name: string;
}

/**
 * Resolves links to the file once, so that a linked settings file is changed, or created, at its target.
 *
 * @throws {RootwardError} `IS_A_DIRECTORY`, `TOO_MANY_LINKS`, `SHARED_PLACE`
 */
export async function findPlace(file: string): Promise<StorePlace> {
  requireOwnPlace(file);
  const path = await findRealPlace(file);
  await refuseDirectory(path, file);
  return { directory: dirname(path), name: basename(path) };
}

async function refuseDirectory(path: string, asked: string): Promise<void> {
  await using boundary = await ifThere(openBoundary(path));
  if (boundary?.kind === 'directory')
    throw new RootwardError('IS_A_DIRECTORY', { verb: 'open', path: asked });
}

/** Returns a text that differs for every version of the file, if that is possible without reading it. */
export function versionOf({ directory, name }: StorePlace): Promise<string | undefined> {
  return settledVersion(join(directory, name));
}

/**
 * Reads the text of the file; `undefined` if there is none.
 *
 * @throws {RootwardError} `SHARED_PLACE` if other users can write it, because they could grant themselves roots
 */
export async function readStore({ directory, name }: StorePlace): Promise<string | undefined> {
  requireOwnPlace(join(directory, name));
  // If the file is missing, another user could create it by now in a directory like /tmp.
  requireOwnPlace(directory);
  await using boundary = await ifThere(openBoundary(directory));
  return await (boundary && readIfThere(boundary, name));
}

function readIfThere(boundary: Boundary, name: string): Promise<string | undefined> {
  return ifThere(boundary.readText(name));
}

/** A new text, and an optional backup of the old one. */
export interface FileRewrite {
  readonly text: string;
  /** Name for a copy of the old text, which is made unless it exists. */
  readonly backup?: string;
}

export interface RewriteOptions {
  /** Milliseconds to wait for another process; 10 seconds by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/**
 * Replaces the text of the file by the result of `rewrite`, as a whole and under a lock. Editors do not take the lock:
 * if one has saved in between, it starts again.
 */
export async function rewriteStore(
  { directory, name }: StorePlace,
  rewrite: (before: string | undefined) => FileRewrite | undefined,
  options: RewriteOptions = {},
): Promise<void> {
  requireOwnPlace(join(directory, name));
  await using boundary = await openOwnDirectory(directory);
  await using held = await boundary.lock(`${name}.lock`, options);
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = await readIfThere(boundary, name);
    const after = rewrite(before);
    if (after === undefined || (await replace(boundary, name, before, after))) return;
  }
  await held.release();
  throw new RootwardError('BUSY', { verb: 'change', path: name });
}

const mostAttempts = 20;

async function replace(
  boundary: Boundary,
  name: string,
  before: string | undefined,
  { text, backup }: FileRewrite,
): Promise<boolean> {
  if (backup !== undefined && before !== undefined) await keepCopy(boundary, backup, before);
  const changed = new Error('the file was saved meanwhile');
  const confirm = async (): Promise<void> => {
    if ((await readIfThere(boundary, name)) !== before) throw changed;
  };
  try {
    await boundary.write(name, text, { flush: true, mode: 0o600, confirm });
    return true;
  } catch (error) {
    if (error === changed) return false;
    throw error;
  }
}

async function keepCopy(boundary: Boundary, name: string, text: string): Promise<void> {
  try {
    await boundary.write(name, text, { exclusive: true, mode: 0o600 });
  } catch (error) {
    if (!RootwardError.is(error, 'ALREADY_EXISTS')) throw error;
  }
}

/** Polling interval for file systems without change events, such as network file systems. Milliseconds. */
const lookEvery = 500;

/** Minimum time between two notifications, because other processes may make hundreds of changes. Milliseconds. */
const pause = 100;

/** Runs until it is closed. */
export interface FileFollowing {
  close(): Promise<void>;
}

/**
 * Reports that a file may have changed, by file system events and by polling in case there are none. Watches the
 * directory, because editors replace the file. Does not keep the process alive.
 */
export function followFile(place: StorePlace, onChange: () => void): FileFollowing {
  const stop = new AbortController();
  const tell = atMostEvery(pause, onChange, stop.signal);
  const watching = watchPlace(place, tell, stop.signal);
  let seen: string | undefined;
  const compare = async (): Promise<void> => {
    const look = await lookAt(place);
    if (stop.signal.aborted || look === seen) return;
    seen = look;
    tell();
  };
  const looking = setInterval(() => void compare(), lookEvery).unref();
  return {
    async close() {
      stop.abort();
      clearInterval(looking);
      await watching;
    },
  };
}

/** Runs at once for the first call, and once for all that follow within the interval. */
function atMostEvery(milliseconds: number, run: () => void, stop: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = false;
  const rest = (): void => {
    timer = undefined;
    if (isWaiting && !stop.aborted) tell();
  };
  const tell = (): void => {
    isWaiting = timer !== undefined;
    if (isWaiting) return;
    timer = setTimeout(rest, milliseconds).unref();
    run();
  };
  return tell;
}

async function watchPlace(
  { directory, name }: StorePlace,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await using boundary = await openBoundary(directory);
    for await (const { kind, path } of boundary.watch('.', { signal })) {
      if (kind === 'overflow' || path === name) onChange();
    }
  } catch (error) {
    // The directory does not exist or there are no watches left; polling continues.
    if (!RootwardError.is(error)) throw error;
  }
}

/** A text that nearly always differs between two versions of a file. */
async function lookAt({ directory, name }: StorePlace): Promise<string> {
  try {
    await using boundary = await openBoundary(directory);
    const { size, modified, created } = await boundary.stat(name);
    return `${size} ${modified.getTime()} ${created.getTime()}`;
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return error.code;
  }
}
