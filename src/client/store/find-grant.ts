import type { ServerIdentity } from '../expose/server-identity.ts';
import type { Grant } from './stored-root.ts';

/**
 * The answer that holds for a server now. One without a fingerprint holds for whatever goes by the name; a no
 * goes before a yes, and the latest before an earlier one.
 */
export function findGrant(grants: readonly Grant[], server: ServerIdentity, now: Date): Grant | undefined {
  const valid = grants.filter((grant) => isAbout(grant, server) && !isOver(grant, now));
  return valid.find(({ answer }) => answer === 'never') ?? valid.at(-1);
}

function isAbout(grant: Grant, { name, fingerprint }: ServerIdentity): boolean {
  return grant.server === name && (grant.fingerprint ?? fingerprint) === fingerprint;
}

/** A time that cannot be read has come. */
function isOver({ until }: Grant, now: Date): boolean {
  return until !== undefined && !(Date.parse(until) > now.getTime());
}
