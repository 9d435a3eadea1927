import type { RootIssue, RootIssueEffect } from '../../path/root-issue.ts';

/** `error`: not to be shown to a server. `warning`: a person should look first. `note`: for who is curious. */
export type RootSeverity = 'error' | 'warning' | 'note';

/** One finding about a root that somebody wants to show to servers. */
export interface RootFinding extends RootIssue {
  readonly severity: RootSeverity;
  /** Which of the entries, from 0. */
  readonly index: number;
  /** Where it really is, if that is elsewhere. For the person who grants it, not for a server. */
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
