import { findProgram } from './find-program.ts';

/** The program that reads command lines, and how it is given one. */
export interface SystemShell {
  readonly file: string;
  readonly args: readonly string[];
}

/** Bash where there is one, because that is what people write for; otherwise the shell that every system has. */
export function systemShell(command: string, platform: NodeJS.Platform = process.platform): SystemShell {
  if (platform === 'win32') {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    return { file: `${root}\\System32\\cmd.exe`, args: ['/d', '/s', '/c', `"${command}"`] };
  }
  const { file = '/bin/sh' } = findProgram('bash', '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin');
  return { file, args: ['-c', command] };
}
