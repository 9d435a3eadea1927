import { join } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { RootwardError } from '../errors.ts';
import { escapeText } from '../quote.ts';
import { readHead } from '../workspace/git-files.ts';
import { detectRepository } from '../workspace/repository.ts';

/** What is known of the version control of a directory, without running anything. */
export interface RepositoryFacts {
  readonly kind: 'git' | 'jj' | 'hg' | 'svn';
  /** Whether this is a further tree of a repository that is elsewhere, or a part of another one. */
  readonly tree?: 'worktree' | 'submodule';
  readonly branch?: string;
  /** Where it is published, without who logs in there and how. */
  readonly remote?: string;
}

const kinds = { '.git': 'git', '.jj': 'jj', '.hg': 'hg', '.svn': 'svn' } as const;

/**
 * The repository whose top is this directory; `undefined` if it is none. The remote stands in a file that the
 * default rules deny, because it may hold a token; then it is not told.
 */
export async function readRepository(
  boundary: Boundary,
  prefix: string,
  names: readonly string[],
): Promise<RepositoryFacts | undefined> {
  const marker = (['.git', '.jj', '.hg', '.svn'] as const).find((name) => names.includes(name));
  if (marker === undefined) return undefined;
  const kind = kinds[marker];
  if (kind !== 'git') return { kind };
  const isDirectory = (await look(() => boundary.stat(`${prefix}.git`)))?.kind === 'directory';
  return isDirectory ? readGit(boundary, `${prefix}.git`) : readPointer(boundary, prefix);
}

async function readGit(boundary: Boundary, directory: string): Promise<RepositoryFacts> {
  await using git = await boundary.openBelow(directory, '.git');
  const { branch } = await readHead(git);
  const config = await look(() => git.readText('config', { limit: 262_144 }));
  const remote = config === undefined ? undefined : remoteIn(config);
  return {
    kind: 'git',
    ...(branch === undefined ? {} : { branch }),
    ...(remote === undefined ? {} : { remote }),
  };
}

/** A `.git` file leads out of the root; what resolves projects follows it, and tells little. */
async function readPointer({ spellings }: Boundary, prefix: string): Promise<RepositoryFacts> {
  const repository = await detectRepository(join(spellings.at(-1) ?? '', prefix));
  return {
    kind: 'git',
    ...(repository === undefined || repository.kind === 'repository' ? {} : { tree: repository.kind }),
    ...(repository?.branch === undefined ? {} : { branch: repository.branch }),
  };
}

/** That of `origin`, or else of the first. */
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

/** A path of this machine is nobody's business either. */
function withoutLogin(url: string): string | undefined {
  const scp = /^(?:[^@/\s]*@)?(?<host>[\w.-]+):(?<path>[^/\\].*)$/.exec(url)?.groups;
  if (scp !== undefined && !url.includes('://'))
    return escapeText(`${scp['host']}:${scp['path']}`).slice(0, 200);
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  if (protocol === 'file:' || host === '') return undefined;
  return escapeText(`${protocol}//${host}${pathname}`).slice(0, 200);
}

/** What cannot be looked at is not there. */
async function look<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
