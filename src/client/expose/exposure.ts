import type { Operation } from '../../boundary/step/operation.ts';
import { findGrant } from '../store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../store/stored-root.ts';
import type { ServerIdentity, TrustTier } from './server-identity.ts';

/**
 * Whether a server sees a root. `redacted`: it sees the name, but not the path. `undecided`: a person has to be asked.
 */
export interface RootExposure {
  readonly root: StoredRoot;
  readonly state: 'shown' | 'redacted' | 'hidden' | 'undecided';
  readonly rule: string;
  readonly reason: string;
  /** Upper limit from a person's answer for this connection. */
  readonly operations?: readonly Operation[];
}

/** A person's answer that lasts at most as long as the connection. `once`: for one list. `dismissed`: no answer. */
export interface SessionAnswer {
  readonly answer: 'once' | 'session' | 'dismissed' | 'never';
  /** Upper limit. */
  readonly operations?: readonly Operation[];
  /** When it expires; from then on it counts as unanswered. */
  readonly until?: Date;
}

export interface ExposureContext {
  readonly server: ServerIdentity;
  readonly snapshot: StoreSnapshot;
  /** By path of the root. */
  readonly answers: ReadonlyMap<string, SessionAnswer>;
  /** Trust tiers whose servers need a person's consent. */
  readonly askFor: readonly TrustTier[];
  /** Shown to a remote server without a grant. */
  readonly remote: 'none' | 'redacted';
  readonly now: Date;
  /** Tells whether a root is usable at all. */
  readonly isUsable: (root: StoredRoot) => boolean;
}

/**
 * Decides whether a server sees a root, the strictest reasons first: an unusable root, a refusal, a list without it;
 * then a grant, and finally the trust in the server.
 */
export function judgeExposure(root: StoredRoot, context: ExposureContext): RootExposure {
  const { server, snapshot, now } = context;
  const { answer, operations } = answerFor(root, context);
  const judged = (state: RootExposure['state'], rule: string, reason: string): RootExposure => ({
    root,
    state,
    rule,
    reason,
    ...(state === 'shown' && operations !== undefined ? { operations } : {}),
  });
  if (!context.isUsable(root)) return judged('hidden', 'unavailable', 'it cannot be used at the moment');
  const grant = findGrant(root.grants, server, now);
  if (grant?.answer === 'never') return judged('hidden', 'grant:never', 'a person said never');
  const listed = Object.hasOwn(snapshot.servers, server.name)
    ? snapshot.servers[server.name]?.roots
    : undefined;
  if (listed?.includes(root.path) === false)
    return judged('hidden', 'limit', 'it is not in the list of this server');
  if (answer === 'never') return judged('hidden', 'consent:never', 'a person said never');
  // The stored grant is newer than the answer, and has its own limits.
  if (grant !== undefined)
    return { root, state: 'shown', rule: 'grant:always', reason: 'a person said always' };
  if (listed !== undefined) return judged('shown', 'limit', 'it is in the list of this server');
  if (answer === 'session' || answer === 'once') return judged('shown', `consent:${answer}`, yes[answer]);
  if (answer === 'dismissed')
    return { ...byTrust(root, context, false), reason: 'a person was asked and did not say yes' };
  return byTrust(root, context, context.askFor.includes(server.tier));
}

const yes = {
  once: 'a person allowed it once',
  session: 'a person allowed it for this session',
} as const;

/** Returns the answer for this connection, unless it has expired. */
function answerFor({ path }: StoredRoot, { answers, now }: ExposureContext): Partial<SessionAnswer> {
  const answer = answers.get(path);
  // An invalid date counts as expired.
  const isOver = answer?.until !== undefined && !(answer.until.getTime() > now.getTime());
  return answer === undefined || isOver ? {} : answer;
}

/** Decides by trust alone. A server that needs consent and has none is treated like a remote one. */
function byTrust(
  root: StoredRoot,
  { server: { tier }, remote, askFor }: ExposureContext,
  canAsk: boolean,
): RootExposure {
  if (canAsk) return { root, state: 'undecided', rule: `tier:${tier}`, reason: 'a person has to be asked' };
  const rule = `tier:${tier}`;
  if (tier !== 'remote' && !askFor.includes(tier))
    return { root, state: 'shown', rule, reason: trusted[tier] };
  if (tier !== 'remote' || remote === 'none')
    return { root, state: 'hidden', rule, reason: 'it was not granted' };
  return { root, state: 'redacted', rule, reason: 'only its name was granted' };
}

const trusted = {
  stdio: 'the host started the server itself',
  loopback: 'the server is on this machine',
} as const;
