import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { findDirectories } from '../config/directories.ts';
import { openWeb, type Web } from '../web/open-web.ts';
import type { CliContext } from './command-context.ts';
import { openBrowser } from './open-browser.ts';
import { startBeside } from './start-beside.ts';
import { untilEnded } from './until-ended.ts';

export interface WebFlags {
  readonly port?: number;
  readonly open: boolean;
  readonly serve: boolean;
}

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/** Serves the page until nobody looks any more, or somebody ends the process. */
export async function runWeb(this: CliContext, flags: WebFlags, ...directories: string[]): Promise<void> {
  const { stdout, stderr, env = {} } = this.process;
  const { log, state, config } = findDirectories(env);
  const tops = directories.map((directory) => resolve(this.cwd, directory));
  await using web = await openWeb({
    file: join(config, 'roots.jsonc'),
    log,
    state,
    tops: tops.length > 0 ? tops : [...new Set([env['HOME'] || homedir(), this.cwd])],
    bounded: tops.length > 0,
    version,
    ...(flags.port === undefined ? {} : { port: flags.port }),
    report: (text) => stderr.write(`${text}\n`),
  });
  const beside = flags.serve ? startBeside(this) : undefined;
  const link = web.link();
  stdout.write(`${link}\n`);
  stderr.write('rootward: the page is open to whoever has this link, once; Ctrl+C ends it\n');
  if (flags.open) openBrowser(link, env);
  const stopOffering = this.isTerminal === true ? offerLinks(this, web) : () => {};
  try {
    await untilEnded(beside === undefined ? web.ended : Promise.race([web.ended, beside.ended]));
  } finally {
    stopOffering();
    await beside?.close();
  }
}

/** Enter prints a new link, for another browser. */
function offerLinks({ process: { stdout, stderr } }: CliContext, web: Web): () => void {
  stderr.write('rootward: press Enter for another link\n');
  const offer = (): void => stdout.write(`${web.link()}\n`);
  process.stdin.on('data', offer);
  return () => {
    process.stdin.off('data', offer);
    process.stdin.pause();
  };
}
