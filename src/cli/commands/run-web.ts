import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { findProgram, systemPath } from '../../boundary/process/find-program.ts';
import { findDirectories } from '../../config/own-directory.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { untilEnded } from '../../serve/until-ended.ts';
import { openWeb, type Web, type WebOptions } from '../../web/open-web.ts';
import { type CommandBeside, startBeside } from './start-beside.ts';

export interface WebFlags {
  readonly port?: number;
  readonly open: boolean;
  readonly serve: boolean;
}

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/** Serves the page until it has been closed for a while, or the process is ended. */
export async function runWeb(this: CliContext, flags: WebFlags, ...directories: string[]): Promise<void> {
  const { stdout, stderr } = this.process;
  const tops = directories.map((directory) => resolve(this.cwd, directory));
  const beside: { server?: CommandBeside } = {};
  await using web = await openWeb({
    ...webOptionsFor(this, flags, tops),
    ...(flags.serve ? { connect: () => beside.server?.connect() } : {}),
    report: (text) => stderr.write(`${text}\n`),
  });
  if (flags.serve) beside.server = startBeside(this);
  const link = web.link();
  stdout.write(`${link}\n`);
  stderr.write('rootward: anyone with this link can open the page, once; Ctrl+C ends it\n');
  if (flags.open) await showPage(this, web, link);
  const stopOffering = this.isTerminal === true ? offerLinks(this, web) : () => {};
  try {
    await untilEnded(firstEnd(web, beside.server).then((why) => stderr.write(farewells[why])));
  } finally {
    stopOffering();
    await beside.server?.close();
  }
}

/**
 * Opens the page in a browser if there is a screen. The browser gets the name of a file, because other users can
 * see its arguments.
 */
async function showPage(
  { process: { stderr, env = {} } }: CliContext,
  web: Web,
  link: string,
): Promise<void> {
  const { opener, notices: lines } = findOpener(process.platform, env);
  for (const line of lines) stderr.write(`rootward: ${line}\n`);
  if (opener === undefined) return;
  const file = await web.linkFile(link);
  stderr.write(
    'rootward: your browser opens a file that only you can read. If the browser cannot read it, as with snap packages, open the link above\n',
  );
  void openInBrowser(opener, file, env).then((worked) =>
    stderr.write(worked ? '' : 'rootward: no browser could be opened; open the link above\n'),
  );
}

/** The options of the page. With directories, the page cannot browse or add anything outside them. */
export function webOptionsFor(
  { cwd, process: { env = {} } }: CliContext,
  flags: Pick<WebFlags, 'port' | 'serve'>,
  tops: readonly string[],
): WebOptions {
  const { log, state, config } = findDirectories(env);
  return {
    file: join(config, 'roots.jsonc'),
    log,
    state,
    tops: tops.length > 0 ? tops : [...new Set([env['HOME'] || homedir(), cwd])],
    bounded: tops.length > 0,
    version,
    again: (port) => sayAgain(port, flags, tops),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    // The server beside the page has its own clients, so the process does not end when the page is closed.
    ...(flags.serve ? { idleMs: Infinity } : {}),
  };
}

/** The same command with the same directories: without them the page could add more than before. */
function sayAgain(port: number, { serve }: Pick<WebFlags, 'serve'>, tops: readonly string[]): string {
  const words = ['rootward', 'web', '--port', String(port), ...(serve ? ['--serve'] : []), ...tops];
  return words.map(forShell).join(' ');
}

function forShell(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

const farewells = {
  idle: 'rootward: ended, because no page was open for 15 minutes\n',
  beside: 'rootward: ended, because the server beside it has ended\n',
  closed: '',
} as const;

async function firstEnd(web: Web, beside: CommandBeside | undefined): Promise<keyof typeof farewells> {
  if (beside === undefined) return web.ended;
  return Promise.race([web.ended, beside.ended.then(() => 'beside' as const)]);
}

/** Prints a new link when the person presses Enter, for another browser. */
function offerLinks({ process: { stdout, stderr } }: CliContext, web: Web): () => void {
  stderr.write('rootward: press Enter for another link\n');
  const offer = (): void => stdout.write(`${web.link()}\n`);
  process.stdin.on('data', offer);
  return () => {
    process.stdin.off('data', offer);
    process.stdin.pause();
  };
}

/** The program that opens a file for the person. */
export interface BrowserCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface FoundBrowser {
  /** `undefined` without a screen or without such a program. */
  readonly opener: BrowserCommand | undefined;
  /** Lines for the person: why there is no program, and which ones were not used. */
  readonly notices: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the platform's program by its full path, so that a program of the same name in a project is never started.
 */
export function findOpener(platform: NodeJS.Platform, environment: Environment): FoundBrowser {
  if (platform === 'darwin') return { opener: { command: '/usr/bin/open', args: [] }, notices: [] };
  if (platform === 'win32') {
    const command = `${environment['SystemRoot'] ?? 'C:\\Windows'}\\System32\\rundll32.exe`;
    return { opener: { command, args: ['url.dll,FileProtocolHandler'] }, notices: [] };
  }
  const hasScreen = Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  if (!hasScreen) return { opener: undefined, notices: [] };
  const { file, passedOver } = findProgram('xdg-open', environment['PATH']);
  if (file !== undefined) return { opener: { command: file, args: [] }, notices: passedOver };
  return { opener: undefined, notices: [...passedOver, 'xdg-open, which opens browsers, is not installed'] };
}

/**
 * Opens the URL of a file in the person's browser, as an argument and never through a shell. Other users of the
 * machine can see that argument, so it must not hold a secret. Resolves to whether it worked; an opener that turns
 * into the browser resolves when the browser ends.
 */
export function openInBrowser(
  opener: BrowserCommand,
  file: string,
  environment: Environment,
): Promise<boolean> {
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

/**
 * The environment for the opener: it needs PATH to find a browser, and none of our settings, one of which is a
 * token.
 */
function forOpener(environment: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('ROOTWARD_'));
  const path = process.platform === 'linux' ? { PATH: systemPath(environment['PATH']) } : {};
  return { ...Object.fromEntries(kept), ...path };
}
