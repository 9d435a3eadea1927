import { relative } from 'node:path';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import type { BoundaryOperation, TargetKind } from './boundary-operation.ts';
import type { EscapeCase } from './escape-cases.ts';
import { age } from '../trees/snapshot.ts';

/** What stands in `OUT`, and under the same names but with other content in `ROOT`. */
const names: { readonly [Kind in TargetKind]: string } = {
  file: 'secret',
  directory: 'vault',
  new: 'fresh',
  lost: 'absent/fresh',
};

/** A case on the disk, ready for one operation. */
export interface Attack extends Disposable {
  readonly tree: TempTree;
  /** The path to try. */
  readonly path: string;
  /** Without a detour: what the path would lead to. */
  readonly reached: string;
}

export function prepareAttack(escape: EscapeCase, operation: BoundaryOperation): Attack {
  const tree = tempTree([
    'OUT/secret = SECRET content',
    'OUT/vault/treasure = SECRET too',
    'ROOT/secret = mine',
    'ROOT/vault/my own',
    'ROOT/spare',
    'OTHER/spare',
  ]);
  const fill = (text: string): string =>
    text
      .replaceAll('$OUT', tree.at('OUT'))
      .replaceAll('$ROOT', tree.at('ROOT'))
      .replaceAll('$UP', relative(process.cwd(), tree.at('OUT')))
      .replaceAll('$T', names[operation.reaches[0]]);
  tree.add(...(escape.layout ?? []).map((entry) => `ROOT/${fill(entry)}`));
  age(tree.path);
  return {
    tree,
    path: fill(escape.path),
    reached: fill(escape.reached ?? '$OUT/$T'),
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

/** Whether a program without a boundary gets through: only then the case is an attack. */
export function reachesPlainly(escape: EscapeCase, { name, link, reaches }: BoundaryOperation): boolean {
  const { last, leadsTo, spared = [] } = escape;
  if (spared.includes(name)) return false;
  if (last === 'link' && !link.plainNamed) return false;
  if (last === 'link/' && !link.plainSlashed) return false;
  return leadsTo === undefined || (leadsTo !== 'nothing' && reaches.includes(leadsTo));
}

/** What the boundary has to do: act on the link itself, or refuse with a code. */
export function verdictOn({ last }: EscapeCase, { link }: BoundaryOperation): Verdict {
  if (last === undefined) return 'OUTSIDE_ROOTS';
  const rule = last === 'link' ? link.named : link.slashed;
  return rule === 'followed' ? 'OUTSIDE_ROOTS' : rule;
}

export type Verdict = Exclude<BoundaryOperation['link']['named'], 'followed'>;
