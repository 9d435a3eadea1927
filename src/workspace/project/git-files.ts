import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { quote } from '../../base/quote.ts';

/** Far more than a path or a name needs. */
const smallFile = 16 * 1024;
const configFile = 256 * 1024;

/** A file of one line, as Git writes it: without the line end. `undefined` if it cannot be read. */
export async function readLine(directory: Boundary, file: string): Promise<string | undefined> {
  const text = await readSmall(directory, file, smallFile);
  return text?.replace(/[\r\n]+$/, '');
}

export interface Head {
  readonly branch?: string;
  readonly issue?: string;
}

/** What is checked out, from the `HEAD` of a Git directory. Without one, Git does not take it for its own. */
export async function readHead(gitDirectory: Boundary): Promise<Head> {
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
