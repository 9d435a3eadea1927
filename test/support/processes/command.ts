import { createRequire } from 'node:module';
import { type ServerCommand, type TempTree, tempTree } from '../../../src/testing/index.ts';
import { program as shipped } from './program.ts';

export interface CommandOptions {
  /** After `serve`. */
  readonly args?: readonly string[];
  /** On top of nearly nothing: what a test does not say, a project is not found by. */
  readonly env?: Readonly<Record<string, string>>;
  /** The top of the file system by default, where no project is. */
  readonly cwd?: string;
  /** Options of Node, before the program. */
  readonly node?: readonly string[];
  /** Another build of the command. */
  readonly program?: string;
}

/** A command line with a home of its own, so that nothing of the person's is touched. */
export interface OwnCommand extends Required<ServerCommand>, Disposable {
  /** Where its logs are. */
  readonly home: string;
}

export function serveCommand(options: CommandOptions = {}): OwnCommand {
  const { args = [], env = {}, cwd = '/', node = [], program = shipped } = options;
  const home = tempTree();
  return own(home, {
    command: process.execPath,
    args: [...node, program, 'serve', ...args],
    cwd,
    env: { ...bare(home.path), ...env },
  });
}

/** The same without naming a command. */
export function bareCommand({
  args = [],
  cwd = '/',
  node = [],
}: Pick<CommandOptions, 'args' | 'cwd' | 'node'> = {}): OwnCommand {
  const home = tempTree();
  const line = [...node, shipped, ...args];
  return own(home, { command: process.execPath, args: line, cwd, env: bare(home.path) });
}

/** The reference file server, which shows that an attack is one. */
export function referenceCommand(...directories: readonly string[]): OwnCommand {
  const home = tempTree();
  const reference = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-filesystem/dist/index.js',
  );
  const args = [reference, ...directories];
  return own(home, { command: process.execPath, args, cwd: '/', env: bare(home.path) });
}

function bare(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, ROOTWARD_HOME: home };
}

function own(home: TempTree, command: Required<ServerCommand>): OwnCommand {
  return { ...command, home: home.path, [Symbol.dispose]: () => home[Symbol.dispose]() };
}
