import type { RootIssue, RootIssueEffect } from '../../path/root-issue.ts';

/** `error`: must not be shown to a server. `warning`: a person should look first. `note`: for information. */
export type RootSeverity = 'error' | 'warning' | 'note';

/** One finding about a root that a person wants to show to servers. */
export interface RootFinding extends RootIssue {
  readonly severity: RootSeverity;
  /** Index of the entry, from 0. */
  readonly index: number;
  /** The real path, if it differs. For the person who grants access, not for a server. */
  readonly real?: string;
}

const severities: { readonly [Effect in RootIssueEffect]: RootSeverity } = {
  dropped: 'error',
  warned: 'warning',
  repaired: 'note',
};

export function createRootFinding(issue: RootIssue, index: number, real?: string): RootFinding {
  const finding = { ...issue, severity: severities[issue.effect], index };
  return real === undefined ? finding : { ...finding, real };
}
