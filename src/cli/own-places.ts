import { findDirectories } from '../config/directories.ts';
import { isInside } from '../path/inside.ts';
import type { CliContext } from './command-context.ts';
import { ownStoreFile } from './own-store-file.ts';

/**
 * Where Rootward keeps what decides about roots, and what happened: no server reaches it, whatever the roots say.
 * Who could write there would grant themselves anything; who could read there would know every root.
 */
export function ownPlaces(context: CliContext): readonly string[] {
  const { config, cache, log, state } = findDirectories(context.process.env ?? {});
  const directories = [config, cache, log, state];
  const outermost = directories.filter(
    (path, index) =>
      !directories.some(
        (other, at) => at !== index && isInside(other, path) && (other !== path || at < index),
      ),
  );
  // The file may be a link that leads elsewhere.
  return [...outermost, ownStoreFile(context)];
}
