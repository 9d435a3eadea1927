import fc from 'fast-check';
import type { ModelDirectory, ModelNode } from './model.ts';

/** Few names, so that random paths and links meet something. */
const name = fc.constantFrom('a', 'b', 'c');

const step = fc.oneof(
  { weight: 9, arbitrary: name },
  { weight: 2, arbitrary: fc.constant('..') },
  { weight: 1, arbitrary: fc.constantFrom('.', '', 'missing') },
);

const steps = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '', '/', '/.'))
  .map(([names, end]) => names.join('/') + end);

/** Somewhere beneath the root, mostly. */
const inside = steps.map((path) => path.replace(/^\/+/, '') || '.');

/** Paths and link texts; `/$ROOT` and `/$OUT` stand for two real paths. */
const path: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: inside },
  { weight: 1, arbitrary: fc.constantFrom('.', './', '..', 'a/..', './.') },
  { weight: 1, arbitrary: inside.map((text) => `../OUT/${text}`) },
  { weight: 1, arbitrary: fc.constantFrom('../OUT', '../OUT/a', '/$OUT', '/$OUT/b') },
  { weight: 1, arbitrary: inside.map((text) => `../ROOT/${text}`) },
  { weight: 1, arbitrary: inside.map((text) => `/$OUT/${text}`) },
  { weight: 1, arbitrary: inside.map((text) => `/$ROOT/${text}`) },
);

type Planned =
  | { readonly kind: 'file' | 'directory'; readonly at: readonly string[] }
  | { readonly kind: 'link'; readonly at: readonly string[]; readonly text: string };

const at = fc.array(name, { minLength: 1, maxLength: 3 });

const planned: fc.Arbitrary<Planned> = fc.oneof(
  fc.record({ kind: fc.constantFrom('file' as const, 'file' as const, 'directory' as const), at }),
  fc.record({ kind: fc.constant('link' as const), at, text: path }),
);

/** Nested directories with files and links, some of which leave. */
const tree: fc.Arbitrary<ModelDirectory> = fc
  .array(planned, { minLength: 4, maxLength: 20 })
  .map((entries) => {
    const top: Growing = { kind: 'directory', entries: new Map() };
    for (const entry of entries) plant(top, entry);
    return top;
  });

/** A tree with paths to try in it: any, and some that start at something that is there. */
export const treeAndPaths: fc.Arbitrary<[ModelDirectory, string[]]> = tree.chain((model) => {
  const known = fc.constantFrom(...namesIn(model, ''));
  const more = fc.constantFrom('', '', '', '/', '/.', '/..', '/a', '/../a');
  const start = fc.constantFrom('', '', './', 'a/../', '../ROOT/');
  const met = fc.tuple(start, known, more).map((parts) => parts.join(''));
  return fc.tuple(fc.constant(model), fc.array(fc.oneof(path, met), { minLength: 1, maxLength: 10 }));
});

function namesIn({ entries }: ModelDirectory, above: string): readonly string[] {
  const found: string[] = [];
  for (const [entry, node] of entries) {
    found.push(above + entry);
    if (node.kind === 'directory') found.push(...namesIn(node, `${above}${entry}/`));
  }
  return found;
}

interface Growing extends ModelDirectory {
  readonly entries: Map<string, ModelNode>;
}

/** Adds an entry with the directories above it, unless something else is in its place. */
function plant(top: Growing, entry: Planned): void {
  let directory = top;
  for (const parent of entry.at.slice(0, -1)) {
    const next = directory.entries.get(parent) ?? { kind: 'directory', entries: new Map() };
    if (next.kind !== 'directory') return;
    directory.entries.set(parent, next);
    directory = next as Growing;
  }
  const last = entry.at.at(-1) ?? '';
  if (directory.entries.has(last)) return;
  directory.entries.set(last, grow(entry));
}

function grow(entry: Planned): ModelNode {
  if (entry.kind === 'link') return { kind: 'link', text: entry.text };
  if (entry.kind === 'file') return { kind: 'file', content: `content of ${entry.at.join('/')}` };
  return { kind: 'directory', entries: new Map() };
}
