import { readFileSync } from 'node:fs';

// Parsed by hand: the file holds lone surrogates, which bundlers refuse.
const file = readFileSync(new URL('../../data/boundary-cases.json', import.meta.url), 'utf8');
const { cases } = JSON.parse(file) as { cases: readonly BoundaryCase[] };

/** One row of the case file; `about` in the file explains the fields. */
export interface BoundaryCase {
  readonly id: string;
  readonly category: string;
  readonly platform: 'posix' | 'win32';
  readonly kind: 'root-uri' | 'path' | 'fs';
  readonly roots: readonly string[] | null;
  readonly input: string;
  readonly verdict: 'accept' | 'reject' | 'allow' | 'deny';
  readonly resolved: string | null;
  readonly why: string;
  readonly root?: string;
  readonly lenientOk?: boolean;
  readonly layout?: readonly string[];
  readonly op?: string;
}

export function boundaryCases(kind: BoundaryCase['kind']): readonly BoundaryCase[] {
  return cases.filter((entry) => entry.kind === kind);
}
