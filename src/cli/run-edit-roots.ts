import { basename, dirname } from 'node:path';
import { newStore } from '../client/store-document.ts';
import { openOwnDirectory } from '../config/open-own-directory.ts';
import { RootwardError } from '../errors.ts';
import { quote } from '../quote.ts';
import type { CliContext } from './command-context.ts';
import { editFile } from './edit-file.ts';
import { ownStoreFile } from './own-store-file.ts';
import { refuseUsage } from './refuse-usage.ts';
import { runDoctorRoots } from './run-doctor-roots.ts';

export interface EditRootsFlags {
  readonly print: boolean;
}

/** Opens the file in an editor, and looks at it afterwards. */
export async function runEditRoots(this: CliContext, { print }: EditRootsFlags): Promise<void> {
  const file = ownStoreFile(this);
  if (print) return this.process.stdout.write(`${file}\n`);
  const { VISUAL, EDITOR } = this.process.env ?? {};
  // A variable that is set to nothing names no editor.
  const editor = VISUAL || EDITOR;
  if (editor === undefined || editor === '') {
    return refuseUsage(this, `Neither VISUAL nor EDITOR is set. Open it yourself: ${file}`);
  }
  await makeFile(file);
  const code = await editFile(editor, file);
  if (code !== 0) throw new Error(`The editor ${quote(editor)} ended with ${code}`);
  await runDoctorRoots.call(this, { json: false });
}

async function makeFile(file: string): Promise<void> {
  await using boundary = await openOwnDirectory(dirname(file));
  try {
    await boundary.write(basename(file), newStore, { exclusive: true, mode: 0o600 });
  } catch (error) {
    if (!RootwardError.is(error, 'ALREADY_EXISTS')) throw error;
  }
}
