import { isInside } from '../../path/inside.ts';
import type { Platform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';

/** Facts about the machine, to distinguish a project from a place where programs merely start. */
export interface MachinePlaces {
  readonly platform: Platform;
  readonly home?: string;
  readonly temporary?: string;
  /** `home` and `temporary` without links. */
  readonly realHome?: string;
  readonly realTemporary?: string;
  /** Directories of plugins, as clients pass them to their servers. */
  readonly plugins?: readonly string[];
  /** The directory of the server's own package. */
  readonly ownPackage?: string;
}

/** The reason why a directory is not a project, worded as the end of a sentence. */
export interface GuardFinding {
  readonly rule: DangerRule;
  readonly reason: string;
}

export type DangerRule =
  | 'file-system'
  | 'home'
  | 'above-home'
  | 'temporary'
  | 'system'
  | 'installation'
  | 'plugin-cache'
  | 'runner-cache'
  | 'own-package';

interface Rule {
  readonly rule: DangerRule;
  readonly reason: string;
  readonly applies: (path: string, around: MachinePlaces) => boolean;
}

const rules: readonly Rule[] = [
  {
    rule: 'plugin-cache',
    reason: 'a plugin is installed there',
    applies: (path, { plugins = [], platform }) =>
      plugins.some((plugin) => isInside(plugin, path, { platform })),
  },
  { rule: 'file-system', reason: 'it is a whole file system', applies: isWhole },
  {
    rule: 'home',
    reason: 'it is the home directory',
    applies: (path, around) => [around.home, around.realHome].some((home) => isSame(path, home, around)),
  },
  {
    rule: 'above-home',
    reason: 'it holds the home directories',
    applies: (path, { home, platform }) => home !== undefined && isInside(path, home, { platform }),
  },
  {
    rule: 'temporary',
    reason: 'it is the directory for temporary files',
    applies: (path, around) =>
      [around.temporary, around.realTemporary].some((other) => isSame(path, other, around)) ||
      isOneOf(path, ['/tmp', '/var/tmp', '/private/tmp'], around),
  },
  {
    rule: 'plugin-cache',
    reason: 'it is a cache of plugins',
    applies: matchesAny(/[\\/]\.(?:claude|codex|cursor|copilot)[\\/]plugins(?:[\\/]|$)/i),
  },
  {
    rule: 'runner-cache',
    reason: 'it is a cache of packages',
    applies: matchesAny(
      /[\\/](?:\.npm[\\/]_npx|_npx|\.cache[\\/](?:uv|pip|deno|pnpm|yarn)|\.bun[\\/]install|\.deno|\.cargo[\\/]registry|npm-cache|pnpm[\\/]dlx-[^\\/]*)(?:[\\/]|$)/i,
    ),
  },
  {
    rule: 'installation',
    reason: 'programs are installed there',
    applies: matchesAny(
      /\.app[\\/]Contents(?:[\\/]|$)|[\\/](?:Microsoft VS Code|Visual Studio Code|Cursor|Windsurf|Kiro)(?:[\\/]|$)(?=resources|bin|$)|[\\/]AppData[\\/]Local[\\/](?:Programs|AnthropicClaude|Microsoft)(?:[\\/]|$)/i,
    ),
  },
  { rule: 'system', reason: 'it belongs to the system', applies: isSystem },
  {
    rule: 'own-package',
    reason: 'it is where this server itself is installed',
    applies: (path, { ownPackage, platform }) =>
      ownPackage !== undefined && isInside(ownPackage, path, { platform }),
  },
];

/**
 * Returns why a directory is unlikely to be a project, or `undefined` if it may be one. Uses text only,
 * before anything is read, indexed or watched, because a walk through `/` cannot be undone.
 */
export function findDanger(path: string, around: MachinePlaces): GuardFinding | undefined {
  const found = rules.find(({ applies }) => applies(path, around));
  return found && { rule: found.rule, reason: found.reason };
}

function isWhole(path: string, { platform }: MachinePlaces): boolean {
  return platform === 'win32'
    ? /^[A-Za-z]:[\\/]*$|^[\\/]{2}[^\\/]+[\\/][^\\/]+[\\/]*$/.test(path)
    : /^\/+$/.test(path);
}

function isSame(path: string, other: string | undefined, { platform }: MachinePlaces): boolean {
  return other !== undefined && isInside(path, other, { platform }) && isInside(other, path, { platform });
}

function isOneOf(path: string, others: readonly string[], around: MachinePlaces): boolean {
  return around.platform === 'posix' && others.some((other) => isSame(path, other, around));
}

function matchesAny(pattern: RegExp): Rule['applies'] {
  return (path) => pattern.test(path);
}

/** System directories with their content. `/usr/src` and `/opt` may hold projects. */
const systemDirectories = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr/bin',
  '/usr/lib',
  '/usr/libexec',
  '/usr/sbin',
  '/usr/share',
  '/var/lib',
  '/var/log',
  '/System',
  '/Library',
  '/Applications',
  '/private/etc',
] as const;

/** System directories that are not projects themselves, but may hold some. */
const systemTops = [
  '/home',
  '/Users',
  '/usr',
  '/var',
  '/opt',
  '/mnt',
  '/media',
  '/Volumes',
  '/srv',
  '/private',
  '/private/var',
] as const;

const insideSystem = createRootIndex(
  systemDirectories.map((path) => [path, true] as const),
  { platform: 'posix' },
);
const atSystemTop = createRootIndex(
  systemTops.map((path) => [path, true] as const),
  { platform: 'posix' },
);

function isSystem(path: string, { platform }: MachinePlaces): boolean {
  if (platform === 'win32') return windowsSystem.test(path);
  return insideSystem.place(path) !== undefined || atSystemTop.place(path)?.relative === '.';
}

const windowsSystem =
  /^[A-Za-z]:[\\/](?:Windows|Program Files(?: \(x86\))?|ProgramData)(?:[\\/]|$)|^[A-Za-z]:[\\/]Users[\\/]*$/i;
