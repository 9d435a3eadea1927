import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostPlatform, type Platform } from '../path/platform.ts';

/** How an editor is called: as whatever the person wrote, flags and all, with the file behind it. */
const calls: {
  readonly [Name in Platform]: (editor: string, file: string) => readonly [string, ...string[]];
} = {
  posix: (editor, file) => ['/bin/sh', '-c', `${editor} "$1"`, 'sh', file],
  win32: (editor, file) => ['cmd.exe', '/d', '/s', '/c', `"${editor} "${file}""`],
};

/** Opens a file in the editor of this person, on their terminal, and waits for its end. Returns its exit code. */
export async function editFile(editor: string, file: string): Promise<number> {
  const [program, ...args] = calls[hostPlatform](editor, file);
  const child = spawn(program, args, { stdio: 'inherit', windowsVerbatimArguments: true });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
