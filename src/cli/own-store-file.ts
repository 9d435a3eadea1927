import { join } from 'node:path';
import { findDirectories } from '../config/directories.ts';
import type { CliContext } from './command-context.ts';

/** Where the roots of this person are kept. `ROOTWARD_HOME` moves it. */
export function ownStoreFile({ process: { env = {} } }: CliContext): string {
  return join(findDirectories(env).config, 'roots.jsonc');
}
