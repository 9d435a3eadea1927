import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostPlatform, type Platform } from '../../path/platform.ts';

/** How an editor is called: as whatever the person wrote, flags and all, with the file behind it. */
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
 * Opens a file in the editor of this person, on their terminal, and waits for its end. An editor without a path is
 * looked for in `path`, and not in the directory where the person happens to be. Returns its exit code.
 */
export async function editFile(editor: string, file: string, path?: string): Promise<number> {
  const [program, ...args] = calls[hostPlatform](editor, file);
  const child = spawn(program, args, {
    stdio: 'inherit',
    windowsVerbatimArguments: true,
    env: {
      ...process.env,
      ...(path !== undefined && { PATH: path }),
      // Windows would look there first.
      NoDefaultCurrentDirectoryInExePath: '1',
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
