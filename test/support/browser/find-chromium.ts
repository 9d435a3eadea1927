import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The browser of the system. */
export function findProgram(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'chromium'))
    .find(isProgram);
  if (found === undefined) throw new Error('Cannot find chromium: install the package of that name');
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
