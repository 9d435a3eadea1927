import { posix, win32 } from 'node:path';

/** An editor that remembers the folders it had open, as VS Code does. */
export interface Editor {
  readonly title: string;
  /** Its directory beneath the one where programs keep settings. */
  readonly directory: string;
}

export const editors: readonly Editor[] = [
  { title: 'VS Code', directory: 'Code' },
  { title: 'VS Code Insiders', directory: 'Code - Insiders' },
  { title: 'VSCodium', directory: 'VSCodium' },
  { title: 'Cursor', directory: 'Cursor' },
];

/** What tells where programs keep their settings. */
export interface EditorPlaces {
  readonly system: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where an editor keeps one directory per folder that it had open. */
export function storageOf({ directory }: Editor, places: EditorPlaces): string {
  const path = places.system === 'win32' ? win32 : posix;
  return path.join(settingsDirectory(places), directory, 'User', 'workspaceStorage');
}

function settingsDirectory({ system, home, environment }: EditorPlaces): string {
  if (system === 'win32') return environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming');
  if (system === 'darwin') return posix.join(home, 'Library', 'Application Support');
  const { XDG_CONFIG_HOME: configured } = environment;
  // The standard wants it ignored unless it is absolute.
  return configured?.startsWith('/') === true ? configured : posix.join(home, '.config');
}
