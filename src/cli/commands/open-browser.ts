import { spawn } from 'node:child_process';
import { findProgram, systemPath } from '../../boundary/process/find-program.ts';

/** The program that shows a file to the person. */
export interface Opener {
  readonly command: string;
  readonly args: readonly string[];
}

export interface FoundOpener {
  /** `undefined` where there is no screen, or no such program. */
  readonly opener: Opener | undefined;
  /** For the person: why there is none, and which programs are not used. */
  readonly told: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the program of each platform by its full name: one that somebody put into a project is not started. */
export function findOpener(platform: NodeJS.Platform, environment: Environment): FoundOpener {
  if (platform === 'darwin') return { opener: { command: '/usr/bin/open', args: [] }, told: [] };
  if (platform === 'win32') {
    const command = `${environment['SystemRoot'] ?? 'C:\\Windows'}\\System32\\rundll32.exe`;
    return { opener: { command, args: ['url.dll,FileProtocolHandler'] }, told: [] };
  }
  const hasScreen = Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  if (!hasScreen) return { opener: undefined, told: [] };
  const { file, passedOver } = findProgram('xdg-open', environment['PATH']);
  if (file !== undefined) return { opener: { command: file, args: [] }, told: passedOver };
  return { opener: undefined, told: [...passedOver, 'xdg-open, which opens browsers, is not installed'] };
}

/**
 * Opens the URL of a file in the person's browser, as an argument and never through a shell. Every user of the
 * machine can see that argument, so it must not be a link with a secret. Says whether it worked; an opener that
 * becomes the browser says it when the browser ends.
 */
export function openInBrowser(opener: Opener, file: string, environment: Environment): Promise<boolean> {
  const child = spawn(opener.command, [...opener.args, file], {
    stdio: 'ignore',
    detached: true,
    cwd: '/',
    env: forOpener(environment),
  });
  child.unref();
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  });
}

/** An opener looks for browsers by name; and none of our settings, of which one is a token, is its concern. */
function forOpener(environment: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('ROOTWARD_'));
  const path = process.platform === 'linux' ? { PATH: systemPath(environment['PATH']) } : {};
  return { ...Object.fromEntries(kept), ...path };
}
