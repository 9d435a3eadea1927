import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type Node } from 'jsonc-parser';
import { type Fields, isFields, isObject } from '../base/fields.ts';
import { type JsoncText, nodeAt, parseJsonc } from '../base/parse-jsonc.ts';
import type { JsonPath } from '../base/read-value.ts';
import {
  indentOf,
  insertChild,
  layoutOf,
  printJson,
  printMember,
  removeChild,
  type TextLayout,
} from './edit-children.ts';

/**
 * Changes a text so that it parses to `after`, and touches only the parts that differ: comments, order and
 * layout of everything else stay. `modify` of jsonc-parser moves comments to other entries (decision 0023).
 */
export function editJsonc(text: string, before: JsoncText, after: unknown): string {
  const layout = layoutOf(text);
  const edits = findEdits(before.value, after, []);
  const replacements = edits.filter(isReplacement);
  const others = edits.filter((edit) => !isReplacement(edit));
  const [only] = others;
  if (only !== undefined && others.length === 1 && areBefore(before.tree, replacements, only.path)) {
    // Text before the change keeps its offsets, so one tree serves both steps.
    return replaceAll(restructure(text, before.tree, only, layout), before.tree, replacements, layout);
  }
  return others.reduce(
    (current, edit) => restructure(current, readTree(current), edit, layout),
    replaceAll(text, before.tree, replacements, layout),
  );
}

function areBefore(tree: Node, replacements: readonly Replacement[], path: JsonPath): boolean {
  const { offset } = nodeAt(tree, path);
  return replacements.every((edit) => {
    const node = nodeAt(tree, edit.path);
    return node.offset + node.length <= offset;
  });
}

function readTree(text: string): Node {
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw new Error(`an edit has spoiled the text: ${parsed.fault.reason}`);
  return parsed.tree;
}

type Edit =
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly value: unknown }
  | {
      readonly kind: 'insert';
      readonly path: JsonPath;
      readonly at: string | number;
      readonly value: unknown;
    }
  | { readonly kind: 'remove'; readonly path: JsonPath; readonly at: string | number };

type Replacement = Edit & { readonly kind: 'replace' };

function isReplacement(edit: Edit): edit is Replacement {
  return edit.kind === 'replace';
}

function findEdits(before: unknown, after: unknown, path: JsonPath): readonly Edit[] {
  if (before === after || isDeepStrictEqual(before, after)) return [];
  if (isFields(before) && isFields(after)) return findMemberEdits(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].some(isObject)) {
    return findItemEdits(before, after, path);
  }
  return [{ kind: 'replace', path, value: after }];
}

function findMemberEdits(before: Fields, after: Fields, path: JsonPath): readonly Edit[] {
  const has = (members: Fields, key: string): boolean =>
    Object.hasOwn(members, key) && members[key] !== undefined;
  const [olds, news] = [Object.keys(before), Object.keys(after).filter((key) => has(after, key))];
  return [
    ...olds
      .filter((key) => has(after, key))
      .flatMap((key) => findEdits(before[key], after[key], [...path, key])),
    ...olds.filter((key) => !has(after, key)).map((at) => ({ kind: 'remove', path, at }) as const),
    ...news
      .filter((key) => !has(before, key))
      .map((at) => ({ kind: 'insert', path, at, value: after[at] }) as const),
  ];
}

/** Keeps equal items at both ends; of the rest, edits old items into the new ones at the same position. */
function findItemEdits(
  before: readonly unknown[],
  after: readonly unknown[],
  path: JsonPath,
): readonly Edit[] {
  const start = countAlike(before, after);
  const end = countAlike(before.slice(start).toReversed(), after.slice(start).toReversed());
  const [olds, news] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const both = Math.min(olds.length, news.length);
  return [
    ...olds.slice(0, both).flatMap((old, index) => findEdits(old, news[index], [...path, start + index])),
    ...olds
      .slice(both)
      .map((_, index) => ({ kind: 'remove', path, at: start + both + index }) as const)
      .toReversed(),
    ...news
      .slice(both)
      .map((value, index) => ({ kind: 'insert', path, at: start + both + index, value }) as const),
  ];
}

function countAlike(before: readonly unknown[], after: readonly unknown[]): number {
  const different = before.findIndex((item, index) => {
    const other = after[index];
    return item !== other && !isDeepStrictEqual(item, other);
  });
  return Math.min(different === -1 ? before.length : different, after.length);
}

/** Replacements do not overlap, so one tree serves all. */
function replaceAll(text: string, tree: Node, edits: readonly Replacement[], layout: TextLayout): string {
  const replaced = edits.map(({ path, value }) => {
    const { offset, length } = nodeAt(tree, path);
    return { offset, length, content: printJson(value, layout, indentOf(text, offset)) };
  });
  return applyEdits(text, replaced);
}

function restructure(text: string, tree: Node, edit: Exclude<Edit, Replacement>, layout: TextLayout): string {
  const container = nodeAt(tree, edit.path);
  const { at } = edit;
  if (edit.kind === 'remove') return removeChild(text, container, indexOf(container, at));
  const { value } = edit;
  const index = typeof at === 'number' ? at : (container.children?.length ?? 0);
  const print = (indent: string): string =>
    typeof at === 'number' ? printJson(value, layout, indent) : printMember(at, value, layout, indent);
  return insertChild(text, container, { index, layout, print });
}

function indexOf({ children = [] }: Node, at: string | number): number {
  if (typeof at === 'number') return at;
  return children.findIndex(({ children: [key] = [] }) => key?.value === at);
}
