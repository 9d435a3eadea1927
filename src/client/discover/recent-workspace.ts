import { resolve } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import { readRootUri } from '../../path/read-root-uri.ts';
import { fieldAt } from '../../workspace/ecosystems/field-at.ts';
import { readManifest } from '../../workspace/ecosystems/read-manifest.ts';
import { openPlace } from '../../workspace/project/open-place.ts';

/** Nobody opens more folders at once, and a file may name any number. */
const mostFolders = 100;

/**
 * The folders that a VS Code workspace names, wherever they are: relative to the file, absolute, or as a file
 * URI. Those of other machines are left out; a file that cannot be read names none.
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
