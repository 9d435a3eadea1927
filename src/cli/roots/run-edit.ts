import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { quote } from '../../base/quote.ts';
import { ownPath } from '../../boundary/process/find-program.ts';
import { createChangeLog } from '../../client/store/change-log.ts';
import { parseStore } from '../../client/store/parse-store.ts';
import { newStore } from '../../client/store/store-document.ts';
import { findPlace, readStore } from '../../client/store/store-file.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';
import { openRecords } from '../../serve/open-records.ts';
import { ownStoreFile, storeContextOf } from '../../serve/settings/own-store-file.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { refuseUsage } from '../terminal/exit-code.ts';
import { runDoctorRoots } from './run-doctor.ts';

export interface EditRootsFlags {
  readonly print: boolean;
}

/** Opens the file in an editor and checks it afterwards. */
export async function runEditRoots(this: CliContext, { print }: EditRootsFlags): Promise<void> {
  const file = ownStoreFile(this);
  if (print) return this.process.stdout.write(`${file}\n`);
  const { VISUAL, EDITOR } = this.process.env ?? {};
  // An empty variable names no editor.
  const editor = VISUAL || EDITOR;
  if (editor === undefined || editor === '') {
    return refuseUsage(this, `Neither VISUAL nor EDITOR is set. Open it yourself: ${file}`);
  }
  await makeFile(file);
  await recorded(this, file, async () => {
    const code = await openInEditor(editor, file, await pathForEditor(this, file));
    if (code !== 0) throw new Error(`The editor ${quote(editor)} ended with ${code}`);
  });
  await runDoctorRoots.call(this, { json: false });
}

/** The PATH to search for an editor, without directories that a server or another user can write to. */
async function pathForEditor({ process: { env = {}, stderr } }: CliContext, file: string): Promise<string> {
  const { path, left } = ownPath(env['PATH'] ?? process.env['PATH'] ?? '', await storedPaths(file));
  for (const directory of left)
    stderr.write(
      `rootward: editors in ${quote(directory)} are not used: other users can change it, or it is inside a root\n`,
    );
  return path;
}

/** The stored paths; none if the file cannot be read. */
async function storedPaths(file: string): Promise<readonly string[]> {
  const text = (await readStore(await findPlace(file))) ?? newStore;
  try {
    return parseStore(text, storeContextOf(file)).snapshot.roots.map(({ path }) => path);
  } catch (error) {
    if (RootwardError.is(error)) return [];
    throw error;
  }
}

/** Records that the file was edited, even if the editor failed. */
async function recorded(context: CliContext, file: string, edit: () => Promise<void>): Promise<void> {
  const place = await findPlace(file);
  const before = await readStore(place);
  const records = await openRecords(context, { logFile: undefined, debug: false });
  const log = createChangeLog({
    audit: records.audit,
    caller: 'rootward roots',
    revision: () => revision,
  });
  let revision = revisionOf(file, before) ?? 0;
  try {
    await edit();
  } finally {
    const after = await readStore(place);
    revision = revisionOf(file, after) ?? revision;
    if (after !== before) await log.around('edited', { path: file, root: undefined }, async () => {});
    await records.close();
  }
}

/** The revision of a store file; `undefined` if it cannot be read. */
function revisionOf(file: string, text: string | undefined): number | undefined {
  try {
    return text === undefined ? 0 : parseStore(text, storeContextOf(file)).snapshot.revision;
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

async function makeFile(file: string): Promise<void> {
  await using boundary = await openOwnDirectory(dirname(file));
  try {
    await boundary.write(basename(file), newStore, { exclusive: true, mode: 0o600 });
  } catch (error) {
    if (!RootwardError.is(error, 'ALREADY_EXISTS')) throw error;
  }
}

/** How to start the editor: the command as the person wrote it, flags included, followed by the file. */
const calls: {
  readonly [Name in Platform]: (editor: string, file: string) => readonly [string, ...string[]];
} = {
  posix: (editor, file) => ['/bin/sh', '-c', `${editor} "$1"`, 'sh', file],
  win32: (editor, file) => [
    `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\cmd.exe`,
    '/d',
    '/s',
    '/c',
    `"${editor} "${file}""`,
  ],
};

/**
 * Opens a file in the person's editor on their terminal and waits until it ends. A bare name is searched in `path`
 * and never in the current directory. Returns the exit code.
 */
export async function openInEditor(editor: string, file: string, path?: string): Promise<number> {
  const [program, ...args] = calls[hostPlatform](editor, file);
  const child = spawn(program, args, {
    stdio: 'inherit',
    windowsVerbatimArguments: true,
    env: {
      ...process.env,
      ...(path !== undefined && { PATH: path }),
      // Windows would search the current directory first.
      NoDefaultCurrentDirectoryInExePath: '1',
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
