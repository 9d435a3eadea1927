import { dirname, join, resolve } from 'node:path';
import { escapeText } from '../../base/quote.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import { parseGitPointer, readGitHead } from '../../workspace/project/git-pointer.ts';
import type { ToolCall } from '../tool/tool.ts';

/** Facts about the version control of a directory, read without running a program. */
export interface RepositoryFacts {
  readonly kind: 'git' | 'jj' | 'hg' | 'svn';
  /** Set for a linked worktree or a submodule. */
  readonly tree?: 'worktree' | 'submodule';
  /** Set if its data is outside of the roots, and was not read. */
  readonly outside?: true;
  readonly branch?: string;
  /** The remote URL, without credentials. */
  readonly remote?: string;
}

/** A directory, and the names in it. */
export interface MarkedDirectory {
  /** Path from the root with a trailing slash; empty for the root. */
  readonly prefix: string;
  readonly names: readonly string[];
}

/** Access to other roots. */
export interface RootsReach {
  readonly call: Pick<ToolCall, 'access'>;
  /** The paths of all roots. */
  readonly roots: readonly string[];
}

const kinds = { '.git': 'git', '.jj': 'jj', '.hg': 'hg', '.svn': 'svn' } as const;

/**
 * Reads the repository whose top is this directory; `undefined` if there is none. The remote is in a file that the
 * default rules deny, because it may contain a token; then it is omitted.
 */
export async function readRepository(
  boundary: Boundary,
  { prefix, names }: MarkedDirectory,
  reaching: RootsReach,
): Promise<RepositoryFacts | undefined> {
  const marker = (['.git', '.jj', '.hg', '.svn'] as const).find((name) => names.includes(name));
  if (marker === undefined) return undefined;
  const kind = kinds[marker];
  if (kind !== 'git') return { kind };
  const isDirectory = (await look(() => boundary.stat(`${prefix}.git`)))?.kind === 'directory';
  return isDirectory ? readGit(boundary, `${prefix}.git`) : readPointer(boundary, prefix, reaching);
}

async function readGit(boundary: Boundary, directory: string): Promise<RepositoryFacts> {
  await using git = await boundary.openBelow(directory, '.git');
  const { branch } = await readGitHead(git);
  const config = await look(() => git.readText('config', { limit: 262_144 }));
  const remote = config === undefined ? undefined : remoteIn(config);
  return {
    kind: 'git',
    ...(branch === undefined ? {} : { branch }),
    ...(remote === undefined ? {} : { remote }),
  };
}

/**
 * Reads a `.git` file. It may name any place on this machine, and its author is not trusted. So the path is compared
 * with the roots first, and nothing outside of them is touched.
 */
async function readPointer(
  boundary: Boundary,
  prefix: string,
  { call, roots }: RootsReach,
): Promise<RepositoryFacts> {
  const own = join(boundary.spellings.at(-1) ?? '', prefix, '.git');
  const text = await look(() => boundary.readText(`${prefix}.git`, { limit: 16_384 }));
  const target = parseGitPointer(text?.replace(/[\r\n]+$/, ''));
  if (target === undefined) return { kind: 'git' };
  const directory = resolve(dirname(own), target);
  const tree = treeOf(directory);
  const facts = { kind: 'git', ...(tree && { tree }) } as const;
  if (![...boundary.spellings, ...roots].some((root) => isInside(root, directory)))
    return { ...facts, outside: true };
  const head = await look(() =>
    call.access({ operation: 'list', path: directory }, async (location) => {
      await using git = await location.boundary.openBelow(location.relative, '.git');
      return await readGitHead(git);
    }),
  );
  return head?.branch === undefined ? facts : { ...facts, branch: head.branch };
}

/** Recognizes the layout of Git. */
function treeOf(directory: string): RepositoryFacts['tree'] {
  if (/[\\/]worktrees[\\/][^\\/]+$/.test(directory)) return 'worktree';
  return /[\\/]modules[\\/]/.test(directory) ? 'submodule' : undefined;
}

/** Returns the remote `origin`, or else the first one. */
function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let section: string | undefined;
  for (const line of config.split('\n')) {
    const header = /^\s*\[(?:remote "(?<name>[^"]*)")?/.exec(line);
    if (header !== null) section = header.groups?.['name'];
    const url = /^\s*url\s*=\s*(?<url>\S+)/.exec(line)?.groups?.['url'];
    if (url !== undefined && section !== undefined && !remotes.has(section)) remotes.set(section, url);
  }
  const url = remotes.get('origin') ?? [...remotes.values()][0];
  return url === undefined ? undefined : withoutLogin(url);
}

/** Removes credentials. Returns `undefined` for a local path, which is not revealed either. */
function withoutLogin(url: string): string | undefined {
  const scp = /^(?:[^@/\s]*@)?(?<host>[\w.-]+):(?<path>[^/\\].*)$/.exec(url)?.groups;
  if (scp !== undefined && !url.includes('://'))
    return escapeText(`${scp['host']}:${scp['path']}`).slice(0, 200);
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  if (protocol === 'file:' || host === '') return undefined;
  return escapeText(`${protocol}//${host}${pathname}`).slice(0, 200);
}

/** Treats a refused path as missing. */
async function look<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
