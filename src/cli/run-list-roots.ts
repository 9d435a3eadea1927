import type { CliContext } from './command-context.ts';
import { formatRoots, lookAtRoots } from './format-roots.ts';
import { lookIntoStore } from './own-store.ts';
import { createPaint } from './paint.ts';

export interface ListRootsFlags {
  readonly server?: string;
  readonly json: boolean;
}

/** Prints the roots that are kept: a table for a person, one document for a program. */
export async function runListRoots(this: CliContext, { server, json }: ListRootsFlags): Promise<void> {
  const { roots, revision } = await lookIntoStore(this, async (store) => store.snapshot());
  const { stdout } = this.process;
  if (!json) return stdout.write(await formatRoots(roots, createPaint(this), server));
  const states = await lookAtRoots(roots);
  const listed = roots.map((root) => Object.assign({}, root, { state: states.get(root.path) }));
  stdout.write(`${JSON.stringify({ revision, roots: listed })}\n`);
}
