import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/**
 * The absolute path of an installed program. Places that a project can fill are not searched: relative ones,
 * and `node_modules`, which package runners put in front.
 */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return (searchPath ?? '')
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && !directory.split(sep).includes('node_modules'))
    .map((directory) => join(directory, file))
    .find(isProgram);
}

/** Whether a file can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
