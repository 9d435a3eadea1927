import { basename, dirname } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { RootwardError } from '../../errors.ts';
import { type Jsonc, type JsonPath, nodeAt, parseJsonc, positionAt } from '../../config/parse-jsonc.ts';
import { parseServeConfig, type ServeConfig } from './serve-config.ts';

const largest = 1024 * 1024;

/**
 * Reads a file of settings: JSON, comments and trailing commas welcome.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, with file, line, column and what was expected
 */
export async function loadServeConfig(file: string): Promise<ServeConfig> {
  const text = await readSettings(file);
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw invalidAt(file, text, parsed.fault);
  try {
    return parseServeConfig(parsed.value);
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_CONFIG')) throw error;
    const { where, reason } = error.data;
    throw invalidAt(file, text, { offset: offsetOf(parsed, where), reason, where });
  }
}

async function readSettings(file: string): Promise<string> {
  try {
    requireOwnPlace(file);
    await using boundary = await openBoundary(dirname(file));
    return await boundary.readText(basename(file), { limit: largest });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    const reason = error.code === 'SHARED_PLACE' ? `${error.message}. ${error.hint}` : error.message;
    throw new RootwardError('INVALID_CONFIG', { where: file, reason }, { cause: error });
  }
}

interface Fault {
  readonly offset: number;
  readonly reason: string;
  readonly where?: string;
}

function invalidAt(
  file: string,
  text: string,
  { offset, reason, where }: Fault,
): RootwardError<'INVALID_CONFIG'> {
  const { line, column } = positionAt(text, offset);
  const place = `${file}:${line}:${column}`;
  return new RootwardError('INVALID_CONFIG', {
    where: where === undefined ? place : `${place} ${where}`,
    reason,
  });
}

function offsetOf({ tree }: Jsonc, where: string): number {
  return nodeAt(tree, toPath(where)).offset;
}

/** `policy.roots["my app"].deny[0]` as keys and indexes. */
function toPath(where: string): JsonPath {
  return Array.from(
    where.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z]\w*)/g),
    ([, index, quoted, key]) => (index === undefined ? (quoted ?? key ?? '') : Number(index)),
  );
}
