import { narrowPlaces } from '../../policy/rules/narrow-places.ts';
import { placeOf } from '../../policy/place-of.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { readRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * A client of ours says with each root what it permits there. It may say less than the operator, and never more.
 * A root that it names in the operator's directories narrows the rules for that part of them.
 */
export function narrowByClient(policy: Policy, open: Workspace, answer: RootsAnswer): Policy {
  const listed = answer.state === 'listed' ? answer.roots : [];
  // Roots that are remembered stand among those that are open.
  const said = [...listed, ...open.roots.map(({ root }) => root)].filter(({ meta }) => meta !== undefined);
  if (said.length === 0) return policy;
  const places = said.flatMap(({ path, meta }) => {
    const permissions = readRootPermissions({ _meta: meta });
    const location = permissions && open.locate(path);
    return permissions === undefined || location === undefined ? [] : [{ ...placeOf(location), permissions }];
  });
  return narrowPlaces(policy, places);
}
