import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Removes the declarations that no door of the package leads to. The compiler writes one per module; the compiler of
 * a user reads the `index.d.ts` of a door and the files that it names.
 */
export function pruneDeclarations(): Plugin {
  let directory = '';
  return {
    name: 'prune-declarations',
    configResolved: ({ root, build: { outDir } }) => {
      directory = dirname(resolve(root, outDir));
    },
    closeBundle: () => prune(directory),
  };
}

function prune(directory: string): void {
  const declarations = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(directory, name));
  const reached = new Set(declarations.filter((file) => file.endsWith('index.d.ts')));
  // A set also yields what is added while it is iterated.
  for (const file of reached) for (const named of namedIn(file)) reached.add(named);
  for (const file of declarations) if (!reached.has(file)) rmSync(file);
}

function namedIn(file: string): readonly string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.[jt]s['"]/g);
  return Array.from(specifiers, ([, path = '']) => resolve(dirname(file), `${path}.d.ts`));
}
