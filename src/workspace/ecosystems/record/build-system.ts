import { escapeText } from '../../../base/quote.ts';
import type { ReadManifest } from '../manifest/read-manifest.ts';

/** The tasks that commands are sorted by. */
export const buildTasks = ['install', 'build', 'test', 'lint', 'format', 'run', 'clean', 'other'] as const;

export type BuildTask = (typeof buildTasks)[number];

/** A command of a project, and its origin. */
export interface BuildCommand {
  readonly task: BuildTask;
  /** Runs in the directory of the project. */
  readonly command: string;
  /** The file that defines it. */
  readonly file: string;
  readonly why: string;
  /** The file is a program or has its own format, and was read line by line. */
  readonly bestEffort?: boolean;
}

/** A directory with build files. */
export interface BuildDirectory {
  /** Names of its entries. */
  readonly names: readonly string[];
  /**
   * Names in each directory above it within the root, the nearest first: a monorepo keeps its lock files
   * there.
   */
  readonly above: readonly (readonly string[])[];
  /** Reads a file of the directory. */
  readonly read: ReadManifest;
}

/** A build system, which finds the commands of a directory by its files. */
export interface BuildSystem {
  /** The name in the answer of `build_config`: `cargo`. */
  readonly name: string;
  /** The name in its description: `Cargo`. */
  readonly title: string;
  readonly find: (directory: BuildDirectory) => Promise<readonly BuildCommand[]>;
}

/** Returns the first of these files that exists. */
export function firstOf(
  { names }: Pick<BuildDirectory, 'names'>,
  wanted: readonly string[],
): string | undefined {
  return wanted.find((name) => names.includes(name));
}

/** Returns a parsed manifest, or `undefined` if it cannot be read. */
export async function valueOf(
  { names, read }: BuildDirectory,
  file: string,
  format: 'json' | 'toml' | 'yaml',
): Promise<unknown> {
  if (!names.includes(file)) return undefined;
  const reading = await read(file, format);
  return 'value' in reading ? reading.value : undefined;
}

/** Returns the text of a file, or an empty text. */
export async function readBuildFile({ read }: BuildDirectory, file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  const reading = await read(file, 'text');
  return 'value' in reading ? reading.value : '';
}

/** Usual names of scripts and targets. The first match counts. */
const words: readonly (readonly [BuildTask, RegExp])[] = [
  ['test', /^(?:unit|integration|e2e|ci|all)?[-_:]?(?:tests?|spec|e2e|coverage|verify)(?:[-_:]|$)/],
  [
    'lint',
    /^(?:lint|eslint|typecheck|type-check|types|check|vet|clippy|ruff|mypy|flake8|tsc|static)(?:[-_:]|$)/,
  ],
  ['format', /^(?:format|fmt|prettier|fix|style)(?:[-_:]|$)/],
  ['run', /^(?:start|serve|dev|develop|run|watch|preview|up)(?:[-_:]|$)/],
  ['build', /^(?:build|compile|bundle|dist|package|assemble|all|release|generate|codegen)(?:[-_:]|$)/],
  ['install', /^(?:install|setup|bootstrap|deps|dependencies|init|prepare)(?:[-_:]|$)/],
  ['clean', /^(?:clean|distclean|clobber|purge)(?:[-_:]|$)/],
];

/** The task of a script or target, by its name. */
export function taskOf(name: string): BuildTask {
  const lower = name.toLowerCase();
  return words.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'other';
}

/** Quotes a name from a file as one word of a command line, so that a shell cannot interpret it. */
export function quoteWord(name: string): string {
  if (/^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-')) return name;
  return `'${escapeText(name).replaceAll("'", `'\\''`)}'`;
}
