import { readdirSync, rmSync } from 'node:fs';
import { difficultClients, type TempTree, tempTree } from '../../../src/testing/index.ts';
import { referenceCommand } from '../processes/command.ts';
import { type Answer, speak, speakTo, type Spoken } from '../processes/speak.ts';

export type Input = Readonly<Record<string, unknown>>;

/** A process that serves `app` of a tree of its own. */
export interface Served extends AsyncDisposable {
  readonly tree: TempTree;
  readonly server: Spoken;
  /** Calls a tool; `$TREE` stands for the tree, in what is asked and in what is told. */
  ask(tool: string, input: Input): Promise<Answer>;
  /** Makes the tree what it was. The directory itself stays: servers hold it. */
  reset(): void;
}

/** Our command, with removing allowed. */
export async function serveOurs(entries: readonly string[]): Promise<Served> {
  const tree = tempTree(entries);
  return served(tree, await speak({ args: [tree.at('app'), '--allow', 'remove'] }), entries);
}

/** The reference file server. */
export async function serveTheirs(entries: readonly string[]): Promise<Served> {
  const tree = tempTree(entries);
  const alone = { client: difficultClients.undeclared, roots: [] };
  return served(tree, await speakTo(referenceCommand(tree.at('app')), alone), entries);
}

function served(tree: TempTree, server: Spoken, entries: readonly string[]): Served {
  return {
    tree,
    server,
    async ask(tool, input) {
      const placed = JSON.parse(JSON.stringify(input).replaceAll('$TREE', tree.path)) as Input;
      const answer = await server.call(tool, placed);
      return { ...answer, text: answer.text.replaceAll(tree.path, '$TREE') };
    },
    reset() {
      for (const name of readdirSync(tree.at('app'))) rmSync(tree.at('app', name), { recursive: true });
      for (const name of readdirSync(tree.path))
        if (name !== 'app') rmSync(tree.at(name), { recursive: true });
      tree.add(...entries);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      tree[Symbol.dispose]();
    },
  };
}
