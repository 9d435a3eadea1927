import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { StorePlace } from './store-file.ts';

/** How often to look where the system tells of no changes, as on network file systems. Milliseconds. */
const lookEvery = 500;

/** Between two times that changes are told: others may make hundreds of them in a row. Milliseconds. */
const pause = 100;

/** Something that runs until it is closed. */
export interface Following {
  close(): Promise<void>;
}

/**
 * Tells that a file may have changed: by the system's events, and by looking now and then in case there are
 * none. Watches the directory, because editors put another file in the place of the old one. Keeps no process
 * alive.
 */
export function followFile(place: StorePlace, onChange: () => void): Following {
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
