import { isAbsolute, resolve } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import type { Signals } from '../../workspace/sources/root-source.ts';

/** Resolves a path as typed: URIs stay, `~` is expanded, anything else starts at the current directory. */
export function fromTerminal({ cwd }: CliContext, path: string): string {
  if (isFileUri(path) || /^[a-z][a-z\d+.-]+:\/\//i.test(path)) return path;
  const own = expandHome(path);
  return isAbsolute(own) || own === '' ? own : resolve(cwd, own);
}

export interface HereFlags {
  readonly cwd?: string;
  readonly project?: string;
  readonly client?: string;
}

/** The signals of this terminal: current directory, pinned project, environment. */
export function signalsHere({ cwd, process: { env = {} } }: CliContext, flags: HereFlags = {}): Signals {
  const start = resolve(cwd, flags.cwd ?? '.');
  // An empty variable pins nothing.
  const pinned = flags.project ?? (env['ROOTWARD_PROJECT'] || undefined);
  return {
    cwd: start,
    // With another start directory, the shell's PWD and INIT_CWD no longer apply.
    environment: flags.cwd === undefined ? env : { ...env, PWD: start, INIT_CWD: undefined },
    ...(pinned === undefined ? {} : { pinned: fromHere(cwd, pinned) }),
    ...(flags.client === undefined ? {} : { client: { name: flags.client } }),
  };
}

/** Resolves a relative path; URIs, absolute paths and placeholders stay as they are, to be judged later. */
function fromHere(cwd: string, text: string): string {
  return text === '' || isFileUri(text) || isAbsolute(text) || /[$%{]/.test(text) ? text : resolve(cwd, text);
}
