import { readFileSync } from 'node:fs';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { type CliResult, runInMemory } from './run-in-memory.ts';

/** A tree in which a person keeps roots: their own directory is `home`, and they are in `work`. */
export interface OwnHome extends Disposable {
  readonly tree: TempTree;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** A path in `work`. */
  at(...names: readonly string[]): string;
  /** `rootward roots …`, in this process. */
  run(...argv: readonly string[]): Promise<CliResult>;
  /** The names of what is kept. */
  names(): Promise<readonly string[]>;
  /** What the file says. */
  text(): string;
}

export function ownHome(entries: readonly string[] = ['app/a.txt', 'docs/b.txt']): OwnHome {
  const tree = tempTree(['home/', 'work/', ...entries.map((entry) => `work/${entry}`)]);
  const env = { ROOTWARD_HOME: tree.at('home') };
  const run = (...argv: readonly string[]): Promise<CliResult> =>
    runInMemory(tree.at('work'), ['roots', ...argv], env);
  const file = tree.at('home', 'roots.jsonc');
  return {
    tree,
    file,
    env,
    at: (...names) => tree.at('work', ...names),
    run,
    async names() {
      const { stdout } = await run('list', '--json');
      return (JSON.parse(stdout) as { roots: { name: string }[] }).roots.map(({ name }) => name);
    },
    text: () => readFileSync(file, 'utf8'),
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}
