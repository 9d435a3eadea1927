import { resolve } from 'node:path';
import { RootwardError } from '../../errors.ts';
import type { Root } from '../../path/root.ts';
import { type Inspection, judgePlace, prepareInspection } from '../discover/find-root-issues.ts';
import { ownPlaces } from '../discover/root-finding-places.ts';
import type { RootFinding } from '../discover/root-finding.ts';

/** How long the places of this machine are taken to be where they were. Milliseconds. */
const lasts = 10_000;

/** What nobody adds without having meant it. */
const unsafe: ReadonlySet<RootFinding['code']> = new Set(['sensitive', 'too-broad']);

/** Refuses a root by where it really is. */
export type RefuseUnsafeRoot = (root: Root, real: string) => Promise<void>;

/**
 * Looks at what speaks against a root, for a store that lies in `file`: what is too broad or not for sharing is
 * refused. Whether it exists is for others to ask.
 *
 * @throws {RootwardError} `UNSAFE_ROOT`
 */
export function createUnsafeRefusal(file: string): RefuseUnsafeRoot {
  let known: { readonly inspection: Promise<Inspection>; readonly until: number } | undefined;
  return async (root, real) => {
    const now = performance.now();
    if (known === undefined || known.until < now) {
      known = { inspection: prepareInspection({ own: [...ownPlaces(), resolve(file)] }), until: now + lasts };
    }
    const findings = judgePlace({ root, index: 0, real }, await known.inspection);
    const finding = findings.find(({ code }) => unsafe.has(code));
    if (finding === undefined) return;
    throw new RootwardError('UNSAFE_ROOT', {
      path: root.path,
      reason: stateOf(finding),
      remedy: finding.hint,
    });
  };
}

/** What a finding says about the root, without naming it again. */
function stateOf({ message }: RootFinding): string {
  return message.replace(/^.*?": /, '');
}
