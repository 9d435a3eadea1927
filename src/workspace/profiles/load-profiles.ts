import { basename, dirname } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { Profile } from '../sources/profile.ts';
import { parseProfiles } from './parse-profiles.ts';

/**
 * Reads a file with rows that a user adds: JSON, comments and trailing commas welcome.
 *
 * @throws {RootwardError} `INVALID_PROFILE`, with file, line and what was expected
 * @example
 * ```ts
 * await loadProfiles('package.json') // throws INVALID_PROFILE
 * ```
 */
export async function loadProfiles(file: string): Promise<readonly Profile[]> {
  const text = await readFile(file);
  const { parse, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    throw new RootwardError('INVALID_PROFILE', {
      where: `${file}${positionOf(text, first.offset)}`,
      reason: `it is not JSON (${printParseErrorCode(first.error)})`,
    });
  }
  try {
    return parseProfiles(value);
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_PROFILE')) throw error;
    const { where, reason } = error.data;
    const offset = offsetOf(parseTree(text), where);
    throw new RootwardError('INVALID_PROFILE', {
      where: `${file}${positionOf(text, offset)} ${where}`,
      reason,
    });
  }
}

async function readFile(file: string): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    return await boundary.readText(basename(file), { limit: 1024 * 1024 });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    throw new RootwardError('INVALID_PROFILE', { where: file, reason: error.message }, { cause: error });
  }
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

interface JsonNode {
  readonly offset: number;
  readonly type: string;
  readonly value?: unknown;
  readonly children?: readonly JsonNode[];
}

/** Where `[0].match[1]` begins; as far down the path as the file goes. */
function offsetOf(tree: JsonNode | undefined, where: string): number {
  let node = tree;
  let offset = tree?.offset ?? 0;
  for (const [, index, key] of where.matchAll(/\[(\d+)\]|\.([^.[]+)/g)) {
    node = index === undefined ? propertyOf(node, key) : node?.children?.[Number(index)];
    if (node === undefined) return offset;
    offset = node.offset;
  }
  return offset;
}

function propertyOf(node: JsonNode | undefined, key: string | undefined): JsonNode | undefined {
  const property = node?.children?.find(({ children }) => children?.[0]?.value === key);
  return property?.children?.[1];
}
