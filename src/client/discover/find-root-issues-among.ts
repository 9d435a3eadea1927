import { dirname } from 'node:path';
import type { Sight } from '../../boundary/look/look-at.ts';
import type { Platform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { createRootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import { quote } from '../../base/quote.ts';
import { createRootFinding, type RootFinding } from './root-finding.ts';

/** A root that was looked at. */
export interface SeenRoot {
  readonly index: number;
  readonly root: Root;
  /** Without links as far as they are known. */
  readonly real: string;
  /** If it is there. */
  readonly sight?: Sight;
}

/** Roots that are the same place as an earlier one, and roots that lie in another one. */
export function compareRoots(seen: readonly SeenRoot[], platform: Platform): readonly RootFinding[] {
  const first = new Map<string, SeenRoot>();
  const findings: RootFinding[] = [];
  for (const one of seen) {
    // The same directory may be reached by two paths without any link: a second mount, another case of letters.
    const keys = [`path ${one.real}`, ...(one.sight === undefined ? [] : [`place ${one.sight.identity}`])];
    const other = keys.map((key) => first.get(key)).find((found) => found !== undefined);
    for (const key of keys) if (!first.has(key)) first.set(key, one);
    if (other !== undefined)
      findings.push(tell('duplicate', one, `it is the same place as ${quote(other.root.name)}`));
  }
  return [...findings, ...findNested([...new Set(first.values())], platform)];
}

function findNested(roots: readonly SeenRoot[], platform: Platform): readonly RootFinding[] {
  const index = createRootIndex(
    roots.map((one) => [one.real, one] as const),
    { platform },
  );
  return roots.flatMap((one) => {
    const outer = index.place(dirname(one.real))?.root;
    if (outer === undefined || outer === one) return [];
    return [tell('nested', one, `it lies in ${quote(outer.root.name)}`)];
  });
}

function tell(code: 'duplicate' | 'nested', { root, index }: SeenRoot, state: string): RootFinding {
  return createRootFinding(createRootIssue(code, root.uri, { state }), index);
}
