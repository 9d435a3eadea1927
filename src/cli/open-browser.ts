import { spawn } from 'node:child_process';

interface Opener {
  readonly command: string;
  readonly args: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens a link in the person's browser, as an argument and never through a shell. Does nothing where there is no
 * screen; whoever reads the terminal has the link.
 */
export function openBrowser(link: string, environment: Environment): void {
  const opener = openerFor(process.platform, environment);
  if (opener === undefined) return;
  const child = spawn(opener.command, [...opener.args, link], { stdio: 'ignore', detached: true });
  // Without such a program the link is still in the terminal.
  child.on('error', () => {});
  child.unref();
}

export function openerFor(platform: NodeJS.Platform, environment: Environment): Opener | undefined {
  if (platform === 'darwin') return { command: 'open', args: [] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  const hasScreen = Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  return hasScreen ? { command: 'xdg-open', args: [] } : undefined;
}
