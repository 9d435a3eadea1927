import { quote } from '../../base/quote.ts';
import { isFileUri, readFileUri, toFileUri } from '../../path/file-uri.ts';
import { nameKey } from '../../path/fold.ts';
import type { Platform } from '../../path/platform.ts';
import { climbs, componentFault, separatorOf, type SplitPath, splitPath } from '../../path/split-path.ts';
import type { GatewaySide } from '../eras/step.ts';

/** A directory as one side names it. */
export interface MappedPlace {
  readonly platform: Platform;
  readonly path: string;
}

/** One directory under the names that the two sides have for it. */
export interface PathMapping {
  readonly client: MappedPlace;
  readonly server: MappedPlace;
  readonly source: MappingSource;
}

/** Where a mapping comes from. `flag` beats the others. */
export type MappingSource = 'flag' | 'container' | 'devcontainer' | 'wsl';

/** Names of directories on both sides of the gateway. It changes texts and grants nothing. */
export interface PathMap {
  readonly mappings: readonly PathMapping[];
  /** Mappings that could not be used, each with the end of a sentence that says why. */
  readonly refused: readonly { readonly mapping: PathMapping; readonly why: string }[];
}

/**
 * Puts mappings together. One that a person wrote replaces those that were found for the same directory. One whose two
 * names overlap another's is refused: `/a` as `/a/b` would turn `/a/b/x` into either of two files.
 */
export function createPathMap(mappings: readonly PathMapping[]): PathMap {
  const flags = mappings.filter(({ source }) => source === 'flag');
  const found = mappings.filter(
    (each) => each.source !== 'flag' && !flags.some((flag) => isSamePlace(flag, each)),
  );
  const all = withoutTwins([...flags, ...found]);
  const refused = all.flatMap((mapping) => {
    const other = all.find((each) => overlaps(mapping, each));
    return other === undefined ? [] : [{ mapping, why: overlapWords(mapping, other) }];
  });
  const unusable = new Set(refused.map(({ mapping }) => mapping));
  return { mappings: all.filter((mapping) => !unusable.has(mapping)), refused };
}

/**
 * Maps a text that as a whole is an absolute path or a file URI, sent by one side, to the name that the other side has.
 * Returns `undefined` if no mapping holds it; a part of a text is never replaced. Of several mappings the longest wins.
 *
 * @example
 * ```ts
 * const client = { platform: 'win32', path: 'C:\\app' };
 * const server = { platform: 'posix', path: '/work' };
 * const map = createPathMap([{ client, server, source: 'flag' }]);
 * mapText(map, 'client', 'c:/App/a b.ts') // → '/work/a b.ts'
 * mapText(map, 'server', 'file:///work/a%20b.ts') // → 'file:///C:/app/a%20b.ts'
 * mapText(map, 'client', 'C:\\app-old\\x') // → undefined
 * ```
 */
export function mapText({ mappings }: PathMap, from: GatewaySide, text: string): string | undefined {
  if (!mayBePath.test(text)) return undefined;
  const to = from === 'client' ? 'server' : 'client';
  let best: { readonly mapping: PathMapping; readonly rest: SplitPath; readonly depth: number } | undefined;
  for (const mapping of mappings) {
    const rest = restBelow(mapping[from], text);
    const depth = depthOf(mapping[from]);
    if (rest !== undefined && (best === undefined || depth > best.depth)) best = { mapping, rest, depth };
  }
  return best === undefined ? undefined : write(best.mapping[to], best.rest, isFileUri(text));
}

/** Whether a text is an absolute path or a file URI that the receiver already has a name for. */
export function isNamedBy({ mappings }: PathMap, side: GatewaySide, text: string): boolean {
  return mappings.some((mapping) => restBelow(mapping[side], text) !== undefined);
}

/** Texts that begin like an absolute path or a file URI of either platform. */
export const mayBePath: RegExp = /^(?:[\\/]|[A-Za-z]:[\\/]|file:)/i;

/** Returns the part of a path below a place; `undefined` if it is not below it, or climbs out of it. */
function restBelow({ platform, path }: MappedPlace, text: string): SplitPath | undefined {
  const above = splitPath(path, platform);
  const below = splitText(text, platform);
  if (below === undefined || 'fault' in above || below.prefix === '') return undefined;
  const key = nameKey({ platform });
  const { length } = above.components;
  if (key(above.prefix) !== key(below.prefix) || below.components.length < length) return undefined;
  if (!above.components.every((name, index) => key(name) === key(below.components[index] ?? ''))) {
    return undefined;
  }
  if (climbs(below.components, length)) return undefined;
  return { ...below, components: below.components.slice(length) };
}

function splitText(text: string, platform: Platform): SplitPath | undefined {
  const usual = platform === 'win32' ? text.replace(oldWslHost, '$1wsl.localhost$2') : text;
  const path = isFileUri(usual) ? readFileUri(usual, { platform, whole: true, unc: true }) : usual;
  if (typeof path !== 'string') return undefined;
  const split = splitPath(path, platform);
  if ('fault' in split) return undefined;
  return { ...split, directory: split.directory || text.endsWith('/') };
}

/** `\\wsl$\` is the old name of `\\wsl.localhost\`. */
const oldWslHost = /^((?:file:)?[\\/]{2})wsl(?:\$|%24)([\\/])/i;

/** Writes a path below a place; `undefined` if the platform there does not allow one of its names. */
function write({ platform, path }: MappedPlace, rest: SplitPath, asUri: boolean): string | undefined {
  const split = splitPath(path, platform);
  if ('fault' in split) return undefined;
  if (rest.components.some((name) => name !== '..' && componentFault(name, platform) !== undefined)) {
    return undefined;
  }
  const separator = separatorOf(platform);
  const components = [...split.components, ...rest.components];
  const end = rest.directory && components.length > 0 && !isDots(components.at(-1)) ? separator : '';
  const native = split.prefix + components.join(separator);
  return asUri ? toFileUri(native, { platform }) + (end && '/') : native + end;
}

function isDots(name: string | undefined): boolean {
  return name === '..';
}

function depthOf({ platform, path }: MappedPlace): number {
  const split = splitPath(path, platform);
  return 'fault' in split ? -1 : split.components.length;
}

function isSamePlace(a: PathMapping, b: PathMapping): boolean {
  return isEqual(a.client, b.client) || isEqual(a.server, b.server);
}

function isEqual(a: MappedPlace, b: MappedPlace): boolean {
  return a.platform === b.platform && covers(a, b) && covers(b, a);
}

/** Keeps the first of mappings that say the same. */
function withoutTwins(mappings: readonly PathMapping[]): readonly PathMapping[] {
  return mappings.filter(
    (mapping, index) =>
      mappings.findIndex(
        (each) => isEqual(each.client, mapping.client) && isEqual(each.server, mapping.server),
      ) === index,
  );
}

function covers(above: MappedPlace, below: MappedPlace): boolean {
  return above.platform === below.platform && restBelow(above, below.path) !== undefined;
}

/**
 * Whether a name of one mapping on one side may be taken for a name of another on the other side, so that a text could
 * be mapped twice. A directory with one name on both sides is safe, and so is everything below it.
 */
function overlaps(mapping: PathMapping, other: PathMapping): boolean {
  if (isEqual(mapping.client, mapping.server)) return false;
  return touches(mapping.client, other.server) || touches(mapping.server, other.client);
}

function touches(a: MappedPlace, b: MappedPlace): boolean {
  return covers(a, b) || covers(b, a);
}

function overlapWords(mapping: PathMapping, other: PathMapping): string {
  if (mapping === other) return 'one of its two names is inside the other';
  return `its names overlap those of ${quote(other.client.path)} as ${quote(other.server.path)}`;
}
