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
  /** Returns the names in a directory below it; none if that cannot be listed. */
  readonly list: (directory: string) => Promise<readonly string[]>;
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

/** Returns the nearest of these files as a path from the directory: `./gradlew` in it, `../gradlew` above it. */
export function nearest(
  { names, above }: Pick<BuildDirectory, 'names' | 'above'>,
  file: string,
): string | undefined {
  const level = [names, ...above].findIndex((there) => there.includes(file));
  if (level === -1) return undefined;
  return `${level === 0 ? './' : '../'.repeat(level)}${file}`;
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

/** Usual first words of scripts and targets. */
const taskWords: Readonly<Record<Exclude<BuildTask, 'other'>, string>> = {
  test: 'test tests spec specs e2e coverage verify',
  lint: 'lint eslint typecheck types check vet clippy ruff mypy flake8 tsc',
  format: 'format fmt prettier fix style',
  run: 'start serve dev develop run watch preview up',
  build: 'build compile bundle dist package assemble all generate codegen',
  install: 'install setup bootstrap deps dependencies init prepare',
  clean: 'clean distclean clobber purge',
};

const tasks: ReadonlyMap<string, BuildTask> = new Map(
  buildTasks.flatMap((task) =>
    task === 'other' ? [] : taskWords[task].split(' ').map((word) => [word, task]),
  ),
);

/** Words before `test` that say which tests. */
const kindsOfTests: ReadonlySet<string> = new Set(['unit', 'integration', 'e2e', 'ci', 'all']);

/** The task of a script or target, by the whole words of its name: `unit-test`, `build:css`, `typeCheck`. */
export function taskOf(name: string): BuildTask {
  const parts = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[-_:./\s]+/);
  const [first = '', second = ''] = parts;
  if (kindsOfTests.has(first) && tasks.get(second) === 'test') return 'test';
  if (first === 'type' && second === 'check') return 'lint';
  return tasks.get(first) ?? 'other';
}

/** Quotes a name from a file as one word of a command line, so that a shell cannot interpret it. */
export function quoteWord(name: string): string {
  if (/^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-')) return name;
  return `'${escapeText(name).replaceAll("'", `'\\''`)}'`;
}
