import { watch } from 'node:fs';
import { translate } from '../system/errno.ts';

export interface NameWatch {
  close(): void;
}

/** Linux tells what happens to a directory itself by the last name of its path: this makes it tell `.`. */
const ownName = '/.';

/**
 * Tells which names in a directory appear, go or change; `undefined` when the directory itself did, or events
 * were lost. Unlike `Boundary.watch` it keeps no handle: what is held open cannot be unmounted. Does not keep
 * the process alive.
 *
 * @throws {RootwardError} `NOT_FOUND`, `NOT_A_DIRECTORY`, `NO_PERMISSION`; `NO_SPACE` and `BUSY` where the system
 * has no watch left
 */
export function watchNames(directory: string, onName: (name: string | undefined) => void): NameWatch {
  try {
    const watcher = watch(directory + ownName, { persistent: false });
    watcher.on('change', (_kind, name) => onName(isOwn(String(name)) ? undefined : String(name)));
    watcher.on('error', () => onName(undefined));
    return { close: () => watcher.close() };
  } catch (error) {
    throw translate(error, { verb: 'watch', path: directory });
  }
}

/** Systems that do not know which name it was say nothing. */
function isOwn(name: string): boolean {
  return name === '.' || name === 'null' || name === '';
}
