import { escapeText } from '../../../base/quote.ts';
import type { ReadManifest } from '../manifest/read-manifest.ts';

/** The tasks that commands are sorted by. */
export const buildTasks = ['install', 'build', 'test', 'lint', 'format', 'run', 'clean', 'other'] as const;

export type BuildTask = (typeof buildTasks)[number];

/** A command that a project can be worked with, and how that is known. */
export interface BuildCommand {
  readonly task: BuildTask;
  /** To be run in the directory of the project. */
  readonly command: string;
  /** The file that says so. */
  readonly file: string;
  readonly why: string;
  /** The file is a program or has a format of its own, and was read by its lines. */
  readonly bestEffort?: boolean;
}

/** A directory with build files. */
export interface BuildDirectory {
  /** Names in it. */
  readonly names: readonly string[];
  /** Names in each directory above it within the root, the nearest first: lock files of a monorepo are there. */
  readonly above: readonly (readonly string[])[];
  /** Reads a file of the directory. */
  readonly read: ReadManifest;
}

/** One build system: which commands a directory has, by its files. */
export interface BuildSystem {
  /** As `build_config` answers it: `cargo`. */
  readonly name: string;
  /** As its description names it: `Cargo`. */
  readonly title: string;
  readonly find: (directory: BuildDirectory) => Promise<readonly BuildCommand[]>;
}

/** The first of these files that is there. */
export function firstOf(
  { names }: Pick<BuildDirectory, 'names'>,
  wanted: readonly string[],
): string | undefined {
  return wanted.find((name) => names.includes(name));
}

/** A parsed manifest, or nothing: what cannot be read has no commands. */
export async function valueOf(
  { names, read }: BuildDirectory,
  file: string,
  format: 'json' | 'toml' | 'yaml',
): Promise<unknown> {
  if (!names.includes(file)) return undefined;
  const reading = await read(file, format);
  return 'value' in reading ? reading.value : undefined;
}

/** The text of a file, or nothing. */
export async function readBuildFile({ read }: BuildDirectory, file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  const reading = await read(file, 'text');
  return 'value' in reading ? reading.value : '';
}

/** Names that people give their scripts and targets. The first that fits counts. */
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

/** A name from a file as one word of a command line: a shell runs that word and nothing else. */
export function quoteWord(name: string): string {
  if (/^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-')) return name;
  return `'${escapeText(name).replaceAll("'", `'\\''`)}'`;
}
