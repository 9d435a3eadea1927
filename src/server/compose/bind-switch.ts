import { basename, isAbsolute } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { Switched } from '../connection/connection-memory.ts';

/**
 * What a switch means now. `name`: nothing may be reached, so it is no more than a name. `ended`: the root it
 * named is gone, or never was.
 */
export type BoundSwitch =
  | { readonly kind: 'none' }
  | { readonly kind: 'name'; readonly name: string }
  /** `root`: a person granted it. */
  | { readonly kind: 'place'; readonly path: string; readonly root?: Root }
  | { readonly kind: 'ended' };

/** Reads a switch against what may be reached. It never widens that, unless a person said so. */
export function bindSwitch({ text, consented = false }: Switched, known: readonly Root[]): BoundSwitch {
  if (isBareName(text)) return bindName(text, known);
  const { root } = parseRoot({ uri: text });
  if (root === undefined) return { kind: 'ended' };
  const index = createRootIndex(
    known.map((one) => [one.path, one] as const),
    { platform: hostPlatform },
  );
  if (index.place(root.path) !== undefined) return { kind: 'place', path: root.path };
  return consented ? { kind: 'place', path: root.path, root } : { kind: 'ended' };
}

/** One name, and neither a path nor a URI. */
export function isBareName(text: string): boolean {
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !/[\\/]/.test(text) &&
    !isFileUri(text) &&
    !isAbsolute(text)
  );
}

function bindName(name: string, known: readonly Root[]): BoundSwitch {
  if (known.length === 0) return { kind: 'name', name };
  const root = known.find((one) => one.name === name) ?? known.find(({ path }) => basename(path) === name);
  return root === undefined ? { kind: 'ended' } : { kind: 'place', path: root.path };
}
