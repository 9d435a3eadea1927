import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { readRootUri } from '../../path/read-root-uri.ts';
import { fieldAt } from '../../workspace/ecosystems/field-at.ts';
import { readManifest } from '../../workspace/ecosystems/read-manifest.ts';
import { openPlace } from '../../workspace/project/open-place.ts';
import { readWorkspaceFolders } from './recent-workspace.ts';
import { editors, type EditorPlaces, storageOf } from './recent-editors.ts';

/** A folder that an editor had open. */
export interface RecentFolder {
  readonly path: string;
  readonly editor: string;
  /** When it was last used, as far as the disk tells. */
  readonly opened: Date;
  /** Name of the VS Code workspace that it is a part of. */
  readonly workspace?: string;
}

export interface RecentOptions extends Partial<EditorPlaces> {
  /** How many folders per editor to read; 1,000 by default. */
  readonly folders?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Folders that VS Code and its kin had open, from what they wrote down; the latest first. Folders of other
 * machines are left out, and whatever cannot be read is passed over: these are somebody else's files.
 */
export async function readRecentFolders(options: RecentOptions = {}): Promise<readonly RecentFolder[]> {
  const { system = process.platform, home = homedir(), environment = process.env } = options;
  const found: RecentFolder[] = [];
  for (const editor of editors) {
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

/** The file with the state of a folder is written whenever the folder is used; the other one once. */
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
