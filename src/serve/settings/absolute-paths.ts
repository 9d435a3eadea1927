import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type ServeOption, serveOptions } from './serve-options.ts';
import { isFileUri, parseFileUri } from '../../path/file-uri.ts';

/**
 * The same settings, with every path from a directory on. `~` is the person's home, and a file URI is a path: that
 * of a directory to be reached is read later, with all that may be wrong with it.
 *
 * @throws {RootwardError} `INVALID_URI`
 */
export function absolutePaths<Said extends object>(said: Said, directory: string): Said {
  const entries = Object.entries(said).map(([name, value]) => {
    const from = (text: string): string => absolute(isGranted(name) ? text : toPath(text), directory);
    if (!isGranted(name) && !isPath(name)) return [name, value];
    return [name, typeof value === 'string' ? from(value) : (value as readonly string[]).map(from)];
  });
  return Object.fromEntries(entries) as Said;
}

function isGranted(name: string): boolean {
  return name === 'directories' || name === 'project';
}

function isPath(name: string): boolean {
  const { kind } = (serveOptions as Readonly<Record<string, ServeOption>>)[name] ?? {};
  return kind === 'path' || kind === 'paths' || kind === 'file';
}

function toPath(text: string): string {
  return isFileUri(text) ? parseFileUri(text) : text;
}

/** Placeholders that nobody filled in stay as they are, to be refused by name. */
function absolute(text: string, from: string): string {
  const path = text.replace(/^~(?=[\\/]|$)/, () => homedir());
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}
