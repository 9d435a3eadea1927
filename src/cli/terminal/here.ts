import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';

/** A path as a person types it: from the terminal on, unless it is a URI, or begins at home. */
export function fromTerminal({ cwd }: CliContext, path: string): string {
  if (isFileUri(path) || /^[a-z][a-z\d+.-]+:\/\//i.test(path)) return path;
  const own = path.replace(/^~(?=[\\/]|$)/, homedir());
  return isAbsolute(own) || own === '' ? own : resolve(cwd, own);
}
