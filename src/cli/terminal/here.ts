import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import type { Signals } from '../../workspace/sources/root-source.ts';

/** A path as a person types it: from the terminal on, unless it is a URI, or begins at home. */
export function fromTerminal({ cwd }: CliContext, path: string): string {
  if (isFileUri(path) || /^[a-z][a-z\d+.-]+:\/\//i.test(path)) return path;
  const own = path.replace(/^~(?=[\\/]|$)/, homedir());
  return isAbsolute(own) || own === '' ? own : resolve(cwd, own);
}

export interface HereFlags {
  readonly cwd?: string;
  readonly project?: string;
  readonly client?: string;
}

/** What this terminal can tell about the project: where it is, what the operator pinned, what is set. */
export function signalsHere({ cwd, process: { env = {} } }: CliContext, flags: HereFlags = {}): Signals {
  const start = resolve(cwd, flags.cwd ?? '.');
  // A variable that a configuration left empty pins nothing.
  const pinned = flags.project ?? (env['ROOTWARD_PROJECT'] || undefined);
  return {
    cwd: start,
    // Another start makes a lie of what the shell said about this one.
    environment: flags.cwd === undefined ? env : { ...env, PWD: start, INIT_CWD: undefined },
    ...(pinned === undefined ? {} : { pinned: fromHere(cwd, pinned) }),
    ...(flags.client === undefined ? {} : { client: { name: flags.client } }),
  };
}

/** Relative to the terminal; what is a URI, absolute or a placeholder stays, to be judged as it is. */
function fromHere(cwd: string, text: string): string {
  return text === '' || isFileUri(text) || isAbsolute(text) || /[$%{]/.test(text) ? text : resolve(cwd, text);
}
