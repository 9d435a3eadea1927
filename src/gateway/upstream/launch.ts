import { isAbsolute, resolve } from 'node:path';
import type { ServerLaunch } from '../../boundary/process/start-server.ts';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import type { GatewayPlaces } from '../roots/gateway-roots.ts';

/** The command line of a server, in which places stand for roots. */
export interface LaunchTemplate {
  /** The program and its arguments. `{root}` is the primary root; `{roots}` are all of them. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that hold the primary root. */
  readonly envRoot?: readonly string[];
  /** Whether the server starts in the primary root. */
  readonly chdir?: boolean;
}

const one = '{root}';
const all = '{roots}';

/** Whether a change of the roots needs another process. */
export function takesPlaces({ command, envRoot = [], chdir = false }: LaunchTemplate): boolean {
  return chdir || envRoot.length > 0 || command.some((word) => word.includes(one) || word.includes(all));
}

/**
 * Fills the roots in. A word with `{roots}` stands once for each root, so `--allow={roots}` becomes `--allow=/a
 * --allow=/b`, and nothing if there is none. The program itself is never filled in.
 *
 * @throws {RootwardError} `NO_ROOTS` if one root is needed and there is none
 * @example
 * ```ts
 * const places = { roots: [{ path: '/a' }, { path: '/b' }], primary: { path: '/a' } };
 * const template = { command: ['srv', '--in={root}', '{roots}'], cwd: '/', env: {} };
 * fillLaunch(template, places).args // → ['--in=/a', '/a', '/b']
 * ```
 */
export function fillLaunch(template: LaunchTemplate, { roots, primary }: GatewayPlaces): ServerLaunch {
  const { cwd, env, envRoot = [], chdir = false } = template;
  const [file, ...words] = template.command;
  const place = (): string => {
    if (primary === undefined) throw new RootwardError('NO_ROOTS', noRoot);
    return primary.path;
  };
  const fillOne = (word: string): string => (word.includes(one) ? word.replaceAll(one, place()) : word);
  const args = words.flatMap((word) =>
    word.includes(all) ? roots.map(({ path }) => fillOne(word.replaceAll(all, path))) : [fillOne(word)],
  );
  const isPath = !isAbsolute(file) && /[\\/]/.test(file);
  return {
    // A path starts where the command was given, wherever the server runs.
    file: isPath ? resolve(cwd, file) : file,
    args,
    cwd: chdir ? place() : cwd,
    env: { ...env, ...Object.fromEntries(envRoot.map((name) => [name, place()])) },
  };
}

const noRoot = {
  why: 'the server needs a root to start, and none is known yet',
  remedy: 'Name one with --root, keep one with `rootward roots add`, or start the client in a project',
};

/** A warning about each argument with a placeholder that the client should have filled in. */
export function findUnfilled({ command }: LaunchTemplate): readonly string[] {
  const unfilled = command.filter((word) => /\$\{\w+(?:[:.]\w+)*\}/.test(word));
  return unfilled.map(
    (word) => `the argument ${quote(word)} has a placeholder that the client did not fill in`,
  );
}
