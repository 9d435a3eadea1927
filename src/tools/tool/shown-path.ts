import { relative, sep } from 'node:path';
import { deceptive } from '../../base/quote.ts';
import { sortInTurns } from '../../base/turns.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { isInside } from '../../path/inside.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';

/**
 * Formats a path for results: relative within the project, which is short and accepted by every tool, and absolute
 * elsewhere. Always fits on one line.
 */
export function shownPath({ project }: Pick<CallWorkspace, 'project'>, absolute: string): string {
  const { location } = project;
  if (location === undefined || !isInside(location, absolute)) return oneLinePath(absolute);
  return oneLinePath(absolute, relative(location, absolute).replaceAll(sep, '/') || '.');
}

/** Matches nearly every name. */
const ordinary = /^[ -~]*$/;

/**
 * Invisible characters that are part of normal writing: they join emoji, and join or separate letters of some scripts.
 */
const joining =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;

/**
 * Tells whether a name can be shown as it is: on one line, with all characters visible. A name that reverses the line,
 * hides a part of itself or moves the cursor would mislead the reader.
 */
export function isOneLine(name: string): boolean {
  return ordinary.test(name) || name.replaceAll(joining, '').search(deceptive) === -1;
}

/** Returns a path for its own line: as shown, or as a URI if that would mislead; every tool accepts both. */
export function oneLinePath(absolute: string, shown: string = absolute): string {
  return isOneLine(shown) ? shown : toFileUri(absolute);
}

/** Sorts paths as in a tree: a directory, then its content, then its siblings. */
export function orderPaths(paths: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
  return sortInTurns(paths, compareInTree, signal);
}

/** Compares by code unit, with `/` before everything else. */
function compareInTree(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let index = 0;
  while (index < shorter && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  if (index === shorter) return one.length - other.length;
  if (one[index] === '/') return -1;
  return other[index] === '/' ? 1 : one.charCodeAt(index) - other.charCodeAt(index);
}

/** Compares by code unit, which is the same on every machine. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes for a person: `12 B`, `120.56 KB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const unit = units[power] ?? 'B';
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${unit}`;
}
