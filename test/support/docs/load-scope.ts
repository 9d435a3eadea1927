import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSource } from '../../architecture/parse-source.ts';
import { repository } from '../../architecture/read-tree.ts';

export type Scope = Readonly<Record<string, unknown>>;

/**
 * What an example may use: the public names and, in the source, its file's exports, without importing them; and
 * whatever it imports itself.
 */
export async function loadScope(file: string, code = ''): Promise<Scope> {
  const own = file.startsWith('src/') ? await load(file) : {};
  return { ...(await load('src/index.ts')), ...own, ...(await loadImports(file, code)) };
}

async function loadImports(file: string, code: string): Promise<Scope> {
  const { program } = parseSource(`${file}.example.mts`, code);
  const names: Record<string, unknown> = {};
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') continue;
    const loaded = await loadModule(node.source.value);
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier') throw new Error(`Cannot import all of ${node.source.value}`);
      const { imported, local } = specifier;
      const name = 'name' in imported ? imported.name : imported.value;
      if (!(name in loaded))
        throw new Error(`Cannot import ${name}: ${node.source.value} has no such export`);
      names[local.name] = loaded[name];
    }
  }
  return names;
}

/** Our own doors are those of the source, which need no build. */
async function loadModule(specifier: string): Promise<Scope> {
  const [, room] = /^rootward(?:\/(.+))?$/.exec(specifier) ?? [];
  if (specifier === 'rootward') return load('src/index.ts');
  if (room !== undefined) return load(`src/${room}/index.ts`);
  return (await import(/* @vite-ignore */ specifier)) as Scope;
}

async function load(file: string): Promise<Scope> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(repository, file)).href)) as Scope;
}
