import { homedir } from 'node:os';
import { basename, dirname, posix, resolve, win32 } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { readRootUri } from '../../path/read-root-uri.ts';
import { fieldAt } from '../../workspace/ecosystems/manifest/parsed.ts';
import { readManifest } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import { allProfiles } from '../../workspace/profiles/all-profiles.ts';
import { openPlace } from '../../workspace/project/open-place.ts';
import type { EditorHistory } from '../../workspace/sources/profile.ts';

/** A folder that an editor had open. */
export interface RecentFolder {
  readonly path: string;
  readonly editor: string;
  /** Time of last use, as far as the disk tells. */
  readonly opened: Date;
  /** Name of the VS Code workspace it belongs to. */
  readonly workspace?: string;
}

export interface RecentOptions extends Partial<EditorPlaces> {
  /** Maximum number of folders to read per editor; 1,000 by default. */
  readonly folders?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the folders that VS Code and its relatives had open, the latest first. Folders of other machines are left out.
 * Unreadable entries are skipped: the files belong to other programs.
 */
export async function readRecentFolders(options: RecentOptions = {}): Promise<readonly RecentFolder[]> {
  const { system = process.platform, home = homedir(), environment = process.env } = options;
  const found: RecentFolder[] = [];
  for (const editor of allProfiles.flatMap(({ histories = [] }) => histories)) {
    await using storage = await openPlace(storageOf(editor, { system, home, environment }));
    if (storage?.kind !== 'directory') continue;
    for (const name of await listNames(storage, options)) {
      options.signal?.throwIfAborted();
      found.push(...(await readEntry(storage, name, editor.title)));
    }
  }
  return found.toSorted((one, other) => other.opened.getTime() - one.opened.getTime());
}

async function listNames(storage: Boundary, { folders = 1_000 }: RecentOptions): Promise<readonly string[]> {
  try {
    const { entries } = await storage.list('.', { limit: folders });
    return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  } catch (error) {
    if (RootwardError.is(error)) return [];
    throw error;
  }
}

async function readEntry(storage: Boundary, name: string, editor: string): Promise<readonly RecentFolder[]> {
  const reading = await readManifest(storage, `${name}/workspace.json`, 'json');
  if (!('value' in reading)) return [];
  const opened = await lastUse(storage, name);
  const folder = pathAt(reading.value, 'folder');
  if (folder !== undefined) return [{ path: folder, editor, opened }];
  const file = pathAt(reading.value, 'workspace') ?? pathAt(reading.value, 'configuration');
  return file === undefined ? [] : readWorkspace(file, editor, opened);
}

function pathAt(value: unknown, field: string): string | undefined {
  const uri = fieldAt(value, [field]);
  return typeof uri === 'string' && isFileUri(uri) ? readRootUri(uri, {}).path : undefined;
}

/** The editor writes the state file whenever the folder is used, and the other one only once. */
async function lastUse(storage: Boundary, name: string): Promise<Date> {
  for (const file of ['state.vscdb', 'workspace.json']) {
    try {
      return (await storage.stat(`${name}/${file}`)).modified;
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
    }
  }
  return new Date(0);
}

async function readWorkspace(file: string, editor: string, opened: Date): Promise<readonly RecentFolder[]> {
  const folders = await readWorkspaceFolders(dirname(file), basename(file));
  const workspace = basename(file).replace(/\.code-workspace$/, '');
  return folders.map((path) => ({ path, editor, opened, workspace }));
}

/** Facts that tell where programs keep their settings. */
export interface EditorPlaces {
  readonly system: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the directory where an editor keeps one subdirectory per folder it had open. */
export function storageOf({ directory }: Pick<EditorHistory, 'directory'>, places: EditorPlaces): string {
  const path = places.system === 'win32' ? win32 : posix;
  return path.join(settingsDirectory(places), directory, 'User', 'workspaceStorage');
}

function settingsDirectory({ system, home, environment }: EditorPlaces): string {
  if (system === 'win32') return environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming');
  if (system === 'darwin') return posix.join(home, 'Library', 'Application Support');
  const { XDG_CONFIG_HOME: configured } = environment;
  // The XDG standard says to ignore a relative path.
  return configured?.startsWith('/') === true ? configured : posix.join(home, '.config');
}

/** Maximum number of folders read from one workspace file, which may list any number. */
const mostFolders = 100;

/**
 * Reads the folders of a VS Code workspace: relative to its file, absolute, or as a file URI. Folders of other machines
 * are left out; an unreadable file has none.
 */
export async function readWorkspaceFolders(directory: string, file: string): Promise<readonly string[]> {
  await using boundary = await openPlace(directory);
  if (boundary === undefined) return [];
  const reading = await readManifest(boundary, file, 'json');
  const folders = 'value' in reading ? fieldAt(reading.value, ['folders']) : undefined;
  if (!Array.isArray(folders)) return [];
  return folders.slice(0, mostFolders).flatMap((folder) => placeOf(folder, directory) ?? []);
}

function placeOf(folder: unknown, directory: string): string | undefined {
  const path = fieldAt(folder, ['path']);
  if (typeof path === 'string' && !path.includes('\0')) return resolve(directory, path);
  const uri = fieldAt(folder, ['uri']);
  return typeof uri === 'string' && isFileUri(uri) ? readRootUri(uri, {}).path : undefined;
}
