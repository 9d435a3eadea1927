import type { ListedEntry } from '../../boundary/read/list.ts';
import type { Walk, WalkEntry } from '../../boundary/read/walk.ts';

/**
 * Names of directories that hold what programs made, fetched or keep for themselves: no search enters them.
 * The price is that a project in a directory of one of these names is not found.
 */
export const prunedDirectories: readonly string[] = [
  // Version control
  '.git',
  '.hg',
  '.jj',
  '.svn',
  // Dependencies that were fetched
  'bower_components',
  'jspm_packages',
  'node_modules',
  'Pods',
  'site-packages',
  'vendor',
  // Environments
  '.direnv',
  '.nox',
  '.tox',
  '.venv',
  'venv',
  // What a build made
  '.build',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '_build',
  'bazel-bin',
  'bazel-out',
  'build',
  'DerivedData',
  'dist',
  'dist-newstyle',
  'elm-stuff',
  'obj',
  'out',
  'target',
  'zig-out',
  // Caches
  '.angular',
  '.bundle',
  '.cache',
  '.dart_tool',
  '.eggs',
  '.gradle',
  '.mypy_cache',
  '.parcel-cache',
  '.pnpm-store',
  '.pytest_cache',
  '.ruff_cache',
  '.stack-work',
  '.terraform',
  '.turbo',
  '.yarn',
  '.zig-cache',
  '__pycache__',
  'zig-cache',
  // Editors
  '.idea',
  '.vs',
  '.vscode',
  // What tools keep in a home directory
  '$RECYCLE.BIN',
  '.android',
  '.asdf',
  '.bun',
  '.cargo',
  '.claude',
  '.codex',
  '.conda',
  '.cursor',
  '.cursor-server',
  '.deno',
  '.gem',
  '.ivy2',
  '.local',
  '.m2',
  '.npm',
  '.nuget',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.sdkman',
  '.Trash',
  '.vscode-insiders',
  '.vscode-server',
  'AppData',
  'System Volume Information',
];

/** What a walk showed of one directory. */
export interface WalkedDirectory {
  /** From where the walk began, with a slash at the end; empty for that directory itself. */
  readonly prefix: string;
  readonly entries: readonly ListedEntry[];
}

/** A walk from the root, one directory at a time, each as soon as it is known: parts of a large one are put together. */
export async function* directoriesOf(walk: Walk): AsyncGenerator<WalkedDirectory> {
  let parts: WalkEntry[] = [];
  for await (const batch of walk.batches()) {
    if (parts.length > 0 && prefixOf(parts) !== prefixOf(batch)) {
      yield toDirectory(parts);
      parts = [];
    }
    for (const entry of batch) parts.push(entry);
    if (!walk.whole) continue;
    yield toDirectory(parts);
    parts = [];
  }
  if (parts.length > 0) yield toDirectory(parts);
}

function toDirectory(entries: readonly WalkEntry[]): WalkedDirectory {
  const prefix = prefixOf(entries);
  return { prefix, entries: entries.map(({ path, kind }) => ({ name: path.slice(prefix.length), kind })) };
}

function prefixOf([first]: readonly WalkEntry[]): string {
  return first === undefined ? '' : first.path.slice(0, first.path.lastIndexOf('/') + 1);
}
