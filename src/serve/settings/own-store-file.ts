import { homedir } from 'node:os';
import { join } from 'node:path';
import type { StoreContext } from '../../client/store/parse-store.ts';
import { findDirectories } from '../../config/own-directory.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { CliContext } from './process-context.ts';

/** The path of the person's root store. `ROOTWARD_HOME` moves it. */
export function ownStoreFile({ process: { env = {} } }: CliContext): string {
  return join(findDirectories(env).config, 'roots.jsonc');
}

/** The context for reading that file without opening a store. */
export function storeContextOf(file: string): StoreContext {
  return { file, home: homedir(), platform: hostPlatform };
}
