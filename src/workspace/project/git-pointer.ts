import { join, resolve, sep } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import { findRealPath, openPlace, realPathOf } from './open-place.ts';

/** Where the data of a repository is. */
export interface RepositoryData {
  /**
   * `worktree`: a further tree of a repository that is elsewhere. `submodule`: its data is kept by the
   * repository around it.
   */
  readonly kind: 'repository' | 'worktree' | 'submodule';
  /** What all trees of the repository share: a real path. For a pointer that leads nowhere, the pointer. */
  readonly commonDirectory: string;
  /**
   * The path that stands for the repository, the same in each of its trees. Not always the common directory:
   * a `.git` file may claim any, so only one that points back counts.
   */
  readonly identity: string;
  /** What is wrong with it, as a sentence. It is a repository all the same. */
  readonly issue?: string;
}

/**
 * The repository behind a `.git` file. Anybody can write one that names the data of another repository, so
 * the identity of that one is taken over only if it points back: a worktree is in its list, a submodule in
 * its configuration, or the data lies within the tree itself.
 *
 * Anybody can make us look at another directory this way. So what is read there is only compared, to find out
 * whether it points back, and none of it is handed on: no branch, no remote, no name. Another machine is not
 * looked at.
 */
export async function followGitPointer(top: string, pointer: Boundary): Promise<RepositoryData> {
  const own = join(top, '.git');
  const target = parseGitPointer(await readLine(pointer, '.'));
  if (target === undefined) return broken(own, 'it does not say "gitdir: " and a path');
  const path = resolve(top, target);
  if (path.startsWith('\\\\')) return broken(own, 'it leads to another machine');
  await using gitDirectory = await openPlace(path);
  if (gitDirectory?.kind !== 'directory') return broken(own, 'it leads to no directory');
  return (await describeWorktree(own, gitDirectory)) ?? (await describeOther(top, gitDirectory));
}

/** Where a `.git` file says that its data is: a path, from its own directory on. */
export function parseGitPointer(text: string | undefined): string | undefined {
  return /^gitdir: (?<path>.+)$/s.exec(text ?? '')?.groups?.['path'];
}

function broken(own: string, reason: string): RepositoryData {
  const issue = `Cannot follow ".git": ${reason}`;
  return { kind: 'repository', commonDirectory: own, identity: own, issue };
}

/**
 * A worktree has `commondir`, the way to what it shares, and `gitdir`, the way back. Both can be forged, but
 * not within the common directory of somebody else.
 */
async function describeWorktree(own: string, gitDirectory: Boundary): Promise<RepositoryData | undefined> {
  const common = await readLine(gitDirectory, 'commondir');
  if (common === undefined) return undefined;
  const kind = 'worktree';
  const here = realPathOf(gitDirectory);
  const commonDirectory = (await findRealPath(resolve(here, common))) ?? here;
  const back = (await readLine(gitDirectory, 'gitdir')) ?? '.';
  const pointsBack = (await findRealPath(resolve(here, back))) === own;
  if (pointsBack && isInside(commonDirectory, here))
    return { kind, commonDirectory, identity: commonDirectory };
  const issue = 'Cannot confirm ".git": the repository does not know this worktree; try git worktree repair';
  return { kind, commonDirectory, identity: own, issue };
}

/** A submodule, or a repository whose data was put elsewhere. */
async function describeOther(top: string, gitDirectory: Boundary): Promise<RepositoryData> {
  const commonDirectory = realPathOf(gitDirectory);
  const keeper = await findKeeper(commonDirectory);
  const kind = keeper === undefined ? 'repository' : 'submodule';
  const setting = await readWorktreeSetting(gitDirectory);
  const pointsBack = setting !== undefined && (await findRealPath(resolve(commonDirectory, setting))) === top;
  const identity =
    pointsBack || isInside(top, commonDirectory) ? (keeper ?? commonDirectory) : join(top, '.git');
  return { kind, commonDirectory, identity };
}

/**
 * Where the repository around a submodule keeps its data in the main tree: `<its common directory>/modules/…`.
 * `undefined` for what lies beneath no `modules` of a Git directory.
 */
async function findKeeper(gitDirectory: string): Promise<string | undefined> {
  const modules = `${sep}modules${sep}`;
  for (let end = gitDirectory.indexOf(modules); end !== -1; end = gitDirectory.indexOf(modules, end + 1)) {
    await using around = await openPlace(gitDirectory.slice(0, end));
    if (around === undefined || (await readLine(around, 'HEAD')) === undefined) continue;
    return join(await findMain(around), gitDirectory.slice(end));
  }
  return undefined;
}

/** The common directory that a Git directory lies in; itself, if it lies in none. */
async function findMain(gitDirectory: Boundary): Promise<string> {
  const here = realPathOf(gitDirectory);
  const common = await findRealPath(resolve(here, (await readLine(gitDirectory, 'commondir')) ?? '.'));
  return common !== undefined && isInside(common, here) ? common : here;
}

/** Far more than a path or a name needs. */
const smallFile = 16 * 1024;
const configFile = 256 * 1024;

/** A file of one line, as Git writes it: without the line end. `undefined` if it cannot be read. */
export async function readLine(directory: Boundary, file: string): Promise<string | undefined> {
  const text = await readSmall(directory, file, smallFile);
  return text?.replace(/[\r\n]+$/, '');
}

export interface GitHead {
  readonly branch?: string;
  readonly issue?: string;
}

/** What is checked out, from the `HEAD` of a Git directory. Without one, Git does not take it for its own. */
export async function readGitHead(gitDirectory: Boundary): Promise<GitHead> {
  const head = await readLine(gitDirectory, 'HEAD');
  if (head === undefined) return { issue: 'Cannot use ".git" as a repository: it has no HEAD' };
  const branch = /^ref: refs\/heads\/(?<branch>.+)$/.exec(head)?.groups?.['branch'];
  // A repository with the newer kind of references keeps them elsewhere, and this stands in its HEAD.
  if (branch === undefined || !isBranch(branch)) return {};
  return { branch };
}

/** Git makes no such names, and a reader should not take one for a path. */
function isBranch(name: string): boolean {
  return name !== '.invalid' && !/\.\.|^\/|\/$/.test(name) && quote(name) === `"${name}"`;
}

/** Where a Git directory says that its files are: `core.worktree`, which submodules have. */
export async function readWorktreeSetting(gitDirectory: Boundary): Promise<string | undefined> {
  for (const file of ['config', 'config.worktree']) {
    const text = await readSmall(gitDirectory, file, configFile);
    const value = /^[ \t]*worktree[ \t]*=[ \t]*(?<value>.+)$/im.exec(text ?? '')?.groups?.['value'];
    if (value !== undefined) return unquote(value.trim());
  }
  return undefined;
}

async function readSmall(directory: Boundary, file: string, limit: number): Promise<string | undefined> {
  try {
    return await directory.readText(file, { limit });
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

function unquote(value: string): string {
  const [, inner = value] = /^"(.*)"$/.exec(value) ?? [];
  return inner.replaceAll(/\\(["\\])/g, '$1');
}
