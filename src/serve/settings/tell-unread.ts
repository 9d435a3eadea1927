import { flagOf, type ServeFlags, serveOptionList } from './serve-options.ts';
import { quote } from '../../base/quote.ts';
import type { CliContext } from './process-context.ts';
import { nearestName } from './nearest-name.ts';
import type { ServeSettings } from './serve-settings.ts';
import { serveVariables } from './serve-variables.ts';

/** What all of ours begin with. */
const ours = 'ROOTWARD_';

/** Read elsewhere: where things are kept, secrets, and what processes of ours tell each other. */
const others = ['HOME', 'TOKEN', 'SEALING_KEY', 'SESSIONS_PASSWORD', 'WORKER_PORT'].map(
  (name) => ours + name,
);

/**
 * Tells whoever starts a server what of their words nobody reads, a line each: a variable that is misspelled would
 * otherwise serve more than they meant. No value is shown.
 */
export function tellUnread(
  { process: { stderr, env = {} } }: CliContext,
  flags: ServeFlags,
  { http }: Pick<ServeSettings, 'http'>,
): void {
  const lines = [...unknownVariables(env), ...(http === undefined ? idleFlags(flags) : [])];
  for (const line of lines) stderr.write(`rootward: Warning: ${line}\n`);
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...serveVariables, ...others];
  const said = Object.keys(env).filter((name) => name.startsWith(ours) && env[name] !== '');
  return said
    .filter((name) => !known.includes(name))
    .map((name) => `${quote(name)} means nothing${suggestion(name, known)}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const bare = known.map((other) => other.slice(ours.length));
  const nearest = nearestName(name.slice(ours.length), bare);
  return nearest === undefined ? '' : `; did you mean ${ours}${nearest}?`;
}

/** In the environment and in a file they may wait for a server that does listen. */
function idleFlags(flags: ServeFlags): readonly string[] {
  return serveOptionList
    .filter(([name, { overHttp }]) => overHttp === true && flags[name as keyof ServeFlags] !== undefined)
    .map(([name]) => `${flagOf(name)} means nothing without --http`);
}
