import type { Operation } from '../../boundary/step/operation.ts';
import { findGrant } from '../store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../store/stored-root.ts';
import type { ServerIdentity, TrustTier } from './server-identity.ts';

/**
 * Whether a server is told of a root. `redacted`: its name, and nothing of where it is. `undecided`: a person
 * has to be asked.
 */
export interface RootExposure {
  readonly root: StoredRoot;
  readonly state: 'shown' | 'redacted' | 'hidden' | 'undecided';
  readonly rule: string;
  readonly reason: string;
  /** No more than these, by what a person answered for this connection. */
  readonly operations?: readonly Operation[];
}

/**
 * What a person answered that holds no longer than the connection. `once`: for one list. `dismissed`: nothing was
 * answered.
 */
export interface SessionAnswer {
  readonly answer: 'once' | 'session' | 'dismissed' | 'never';
  /** No more than these. */
  readonly operations?: readonly Operation[];
  /** When it ends; from then on nothing was answered. */
  readonly until?: Date;
}

export interface ExposureContext {
  readonly server: ServerIdentity;
  readonly snapshot: StoreSnapshot;
  /** By path of the root. */
  readonly answers: ReadonlyMap<string, SessionAnswer>;
  /** Tiers whose servers a person is asked about. */
  readonly askFor: readonly TrustTier[];
  /** What a remote server gets that nobody granted anything. */
  readonly remote: 'none' | 'redacted';
  readonly now: Date;
  /** Whether a root can be used at all. */
  readonly isUsable: (root: StoredRoot) => boolean;
}

/**
 * Judges what a server is told of a root, the strictest first: a root that cannot be used, a no, a list that
 * leaves it out; then a yes, and only then the trust in the way to the server.
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
  // What is kept was said later, and has its own limits.
  if (grant !== undefined)
    return { root, state: 'shown', rule: 'grant:always', reason: 'a person said always' };
  if (listed !== undefined) return judged('shown', 'limit', 'it is in the list of this server');
  if (answer === 'session' || answer === 'once') return judged('shown', `consent:${answer}`, yes[answer]);
  if (answer === 'dismissed')
    return { ...byTrust(root, context, false), reason: 'a person was asked and did not say yes' };
  return byTrust(root, context, context.askFor.includes(server.tier));
}

const yes = {
  once: 'a person said yes for this once',
  session: 'a person said yes for this session',
} as const;

/** What was answered for this connection, unless its time is over. */
function answerFor({ path }: StoredRoot, { answers, now }: ExposureContext): Partial<SessionAnswer> {
  const said = answers.get(path);
  // A time that is none has come.
  const isOver = said?.until !== undefined && !(said.until.getTime() > now.getTime());
  return said === undefined || isOver ? {} : said;
}

/** Where nobody said anything. Who is asked about and gets no answer gets what a stranger gets. */
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
    return { root, state: 'hidden', rule, reason: 'nobody granted it' };
  return { root, state: 'redacted', rule, reason: 'nobody granted more than its name' };
}

const trusted = {
  stdio: 'the host started the server itself',
  loopback: 'the server is on this machine',
} as const;
