import { basename, dirname, join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { findRealPlace, settledVersion } from '../../boundary/look/real-place.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';

/** Where a store lies: one name in one directory, links in the way to it already followed. */
export interface StorePlace {
  readonly directory: string;
  readonly name: string;
}

/**
 * Follows links to the file once: whoever keeps their settings elsewhere has them changed there, and made there.
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
  try {
    await using boundary = await openBoundary(path);
    if (boundary.kind === 'directory')
      throw new RootwardError('IS_A_DIRECTORY', { verb: 'open', path: asked });
  } catch (error) {
    if (!RootwardError.is(error, 'NOT_FOUND')) throw error;
  }
}

/** What tells the file from every later version of it, if that can be told without reading it. */
export function versionOf({ directory, name }: StorePlace): Promise<string | undefined> {
  return settledVersion(join(directory, name));
}

/**
 * The text of the file; `undefined` if there is none.
 *
 * @throws {RootwardError} `SHARED_PLACE`: whoever else can write it would grant themselves roots
 */
export async function readStore({ directory, name }: StorePlace): Promise<string | undefined> {
  requireOwnPlace(join(directory, name));
  try {
    await using boundary = await openBoundary(directory);
    return await readIfThere(boundary, name);
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function readIfThere(boundary: Boundary, name: string): Promise<string | undefined> {
  try {
    return await boundary.readText(name);
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** A new text, and what to keep of the old one. */
export interface FileRewrite {
  readonly text: string;
  /** Name of a copy of the old text, made if there is none of that name. */
  readonly backup?: string;
}

export interface RewriteOptions {
  /** Milliseconds to wait for another process; 10 seconds by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/**
 * Replaces the text of the file by what `rewrite` makes of it, as a whole, with no other process in between
 * that asks for the lock. An editor does not ask: if it has saved meanwhile, everything begins again.
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

/** How often to look where the system tells of no changes, as on network file systems. Milliseconds. */
const lookEvery = 500;

/** Between two times that changes are told: others may make hundreds of them in a row. Milliseconds. */
const pause = 100;

/** Something that runs until it is closed. */
export interface FileFollowing {
  close(): Promise<void>;
}

/**
 * Tells that a file may have changed: by the system's events, and by looking now and then in case there are
 * none. Watches the directory, because editors put another file in the place of the old one. Keeps no process
 * alive.
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

/** Tells the first at once, and what follows together. */
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
    // No directory yet, or no watch left: looking now and then remains.
    if (!RootwardError.is(error)) throw error;
  }
}

/** Enough to tell two versions of a file apart, nearly always. */
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
