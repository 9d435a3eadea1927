import { relative, sep } from 'node:path';
import { deceptive } from '../../base/quote.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { isInside } from '../../path/inside.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';

/**
 * A path as results show it: relative to the project where it lies there, because that is short and every
 * tool takes it, and absolute elsewhere. Always one line.
 */
export function shownPath({ project }: Pick<CallWorkspace, 'project'>, absolute: string): string {
  const { location } = project;
  if (location === undefined || !isInside(location, absolute)) return oneLinePath(absolute);
  return oneLinePath(absolute, relative(location, absolute).replaceAll(sep, '/') || '.');
}

/** What nearly every name is made of. */
const ordinary = /^[ -~]*$/;

/**
 * Characters that cannot be seen and are a part of how people write: what joins emoji, and what joins or parts the
 * letters of scripts that need it.
 */
const joining =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;

/**
 * Whether a name can stand in a line as it is: it takes up one line, and everything in it can be seen. A name that
 * turns the line around, hides a part of itself or moves the cursor would lie to whoever reads it.
 */
export function isOneLine(name: string): boolean {
  return ordinary.test(name) || name.replaceAll(joining, '').search(deceptive) === -1;
}

/** A path for a line of its own: as it is shown, or where that would lie as a URI, which every tool takes. */
export function oneLinePath(absolute: string, shown: string = absolute): string {
  return isOneLine(shown) ? shown : toFileUri(absolute);
}

/** Paths in the order in which a person reads a tree: a directory, then what is in it, then its neighbour. */
export function orderPaths(paths: Iterable<string>): readonly string[] {
  return [...paths]
    .map((path) => ({ path, key: path.replaceAll('/', '\0') }))
    .toSorted((one, other) => compare(one.key, other.key))
    .map(({ path }) => path);
}

/** By code, not by language: the same everywhere. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for a person: `12 B`, `120.56 KB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const unit = units[power] ?? 'B';
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${unit}`;
}
