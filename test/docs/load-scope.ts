import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../architecture/read-tree.ts';

export type Scope = Readonly<Record<string, unknown>>;

/** What an example may use without importing it: the public names and, in the source, its file's exports. */
export async function loadScope(file: string): Promise<Scope> {
  const own = file.startsWith('src/') ? await load(file) : {};
  return { ...(await load('src/index.ts')), ...own };
}

async function load(file: string): Promise<Scope> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(repository, file)).href)) as Scope;
}
