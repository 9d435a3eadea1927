import { join, resolve, sep } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import { findRealPath, openPlace, realPathOf } from './open-place.ts';

/** The location of a repository's data. */
export interface RepositoryData {
  /**
   * `worktree`: a further tree of a repository that is elsewhere. `submodule`: the surrounding repository
   * keeps its data.
   */
  readonly kind: 'repository' | 'worktree' | 'submodule';
  /**
   * Shared by all trees of the repository: a real path. For a pointer that leads nowhere, the pointer itself.
   */
  readonly commonDirectory: string;
  /**
   * The path that identifies the repository in each of its trees. Not always the common directory: a `.git`
   * file may claim any, so only one that points back counts.
   */
  readonly identity: string;
  /** The problem with it, as a sentence. It still counts as a repository. */
  readonly issue?: string;
}

/**
 * Finds the repository behind a `.git` file. Such a file can name the data of any other repository, so the
 * identity of that one is used only if it points back: a worktree is in its list, a submodule in its
 * configuration, or the data lies within the tree itself.
 *
 * Such a file can also make the server look at any directory. The content read there is therefore only
 * compared, to see whether it points back, and never returned: no branch, no remote, no name. Paths on
 * another machine are not followed.
 */
export async function followGitPointer(top: string, pointer: Boundary): Promise<RepositoryData> {
  const own = join(top, '.git');
  const target = parseGitPointer(await readLine(pointer, '.'));
  if (target === undefined) return broken(own, 'it does not say "gitdir: " and a path');
  const path = resolve(top, target);
  if (path.startsWith('\\\\')) return broken(own, 'it leads to another machine');
  await using gitDirectory = await openPlace(path);
  if (gitDirectory?.kind !== 'directory') return broken(own, 'it does not lead to a directory');
  return (await describeWorktree(own, gitDirectory)) ?? (await describeOther(top, gitDirectory));
}

/** Returns the path in a `.git` file, relative to its directory. */
export function parseGitPointer(text: string | undefined): string | undefined {
  return /^gitdir: (?<path>.+)$/s.exec(text ?? '')?.groups?.['path'];
}

function broken(own: string, reason: string): RepositoryData {
  const issue = `Cannot follow ".git": ${reason}`;
  return { kind: 'repository', commonDirectory: own, identity: own, issue };
}

/**
 * A worktree has `commondir`, the path of the shared data, and `gitdir`, the path back. Both can be forged,
 * but not within the common directory of another user.
 */
async function describeWorktree(own: string, gitDirectory: Boundary): Promise<RepositoryData | undefined> {
  const common = await readLine(gitDirectory, 'commondir');
  if (common === undefined) return undefined;
  const kind = 'worktree';
  const here = realPathOf(gitDirectory);
  const commonDirectory = findCommon(here, common);
  const back = (await readLine(gitDirectory, 'gitdir')) ?? '.';
  const pointsBack = (await findRealPath(resolve(here, back))) === own;
  if (pointsBack && commonDirectory !== undefined)
    return { kind, commonDirectory, identity: commonDirectory };
  const issue = 'Cannot confirm ".git": the repository does not know this worktree; try git worktree repair';
  return { kind, commonDirectory: commonDirectory ?? here, identity: own, issue };
}

/**
 * Returns the directory that `commondir` names, if it holds the real path of the worktree's data. Text suffices,
 * because a real path has no links. Nothing is looked up: the file may name any place on this machine.
 */
function findCommon(here: string, common: string): string | undefined {
  const path = resolve(here, common);
  return isInside(path, here) ? path : undefined;
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
 * Finds where the surrounding repository keeps the data of a submodule: `<its common directory>/modules/…`.
 * Returns `undefined` for a path that is not beneath `modules` of a Git directory.
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

/** Returns the common directory of a Git directory, or the directory itself. */
async function findMain(gitDirectory: Boundary): Promise<string> {
  const here = realPathOf(gitDirectory);
  return findCommon(here, (await readLine(gitDirectory, 'commondir')) ?? '.') ?? here;
}

/** Far more than a path or a name needs. */
const smallFile = 16 * 1024;
const configFile = 256 * 1024;

/**
 * Reads a file of one line, as Git writes it, without the line end. Returns `undefined` if it cannot be read.
 */
export async function readLine(directory: Boundary, file: string): Promise<string | undefined> {
  const text = await readSmall(directory, file, smallFile);
  return text?.replace(/[\r\n]+$/, '');
}

export interface GitHead {
  readonly branch?: string;
  readonly issue?: string;
}

/**
 * Reads the checked out branch from the `HEAD` of a Git directory. Git does not recognise a directory without
 * one.
 */
export async function readGitHead(gitDirectory: Boundary): Promise<GitHead> {
  const head = await readLine(gitDirectory, 'HEAD');
  if (head === undefined) return { issue: 'Cannot use ".git" as a repository: it has no HEAD' };
  const branch = /^ref: refs\/heads\/(?<branch>.+)$/.exec(head)?.groups?.['branch'];
  // A repository in the reftable format keeps references elsewhere, and its HEAD has this placeholder.
  if (branch === undefined || !isBranch(branch)) return {};
  return { branch };
}

/** Refuses names that Git does not create and that could be mistaken for a path. */
function isBranch(name: string): boolean {
  return name !== '.invalid' && !/\.\.|^\/|\/$/.test(name) && quote(name) === `"${name}"`;
}

/** Reads `core.worktree` of a Git directory, which submodules have. */
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
