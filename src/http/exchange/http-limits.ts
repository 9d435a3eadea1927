/** What a client may use up. Sizes are bytes, times milliseconds. */
export interface HttpLimits {
  /** Of one request. */
  readonly body: number;
  /** Until the body has arrived. */
  readonly bodyMs: number;
  readonly headers: number;
  readonly headersMs: number;
  /** Of the parameters of `initialize`, which are kept. */
  readonly initialize: number;
  /** Messages in one batch. */
  readonly batch: number;
  readonly connections: number;
  /** Calls at the same time, of all sessions and of one. */
  readonly calls: number;
  readonly callsPerSession: number;
  /** How long one call may take. */
  readonly callMs: number;
  /** What may wait for a client that does not read, and for how long without any progress. */
  readonly unread: number;
  readonly stallMs: number;
  /** Silence after which an answer becomes a stream, where the client takes one. */
  readonly streamAfterMs: number;
  /** Silence on a stream after which a comment is sent. */
  readonly keepAliveMs: number;
  /** New sessions: how many per second, and how many at once. */
  readonly sessionsPerSecond: number;
  readonly sessionBurst: number;
  /** Subscriptions of 2026-07-28, of all and of one token, and how long one may last. */
  readonly subscriptions: number;
  readonly subscriptionsPerToken: number;
  readonly subscriptionMs: number;
  /** A client that was asked for its roots through other nodes and is silent is asked again after that long. */
  readonly askAgainMs: number;
  /** How long a server that is told to end still takes what comes, so that a balancer can look elsewhere. */
  readonly lingerMs: number;
  /** What is under way when the endpoint is closed may take that long. */
  readonly graceMs: number;
  /** How often all of this is looked at. */
  readonly sweepMs: number;
}

export const defaultLimits: HttpLimits = {
  body: 4 * 1024 * 1024,
  bodyMs: 10_000,
  headers: 16 * 1024,
  headersMs: 10_000,
  initialize: 16 * 1024,
  batch: 50,
  connections: 4_096,
  calls: 1_024,
  callsPerSession: 64,
  callMs: 600_000,
  unread: 1024 * 1024,
  stallMs: 10_000,
  streamAfterMs: 5_000,
  keepAliveMs: 15_000,
  sessionsPerSecond: 200,
  sessionBurst: 1_000,
  subscriptions: 1_024,
  subscriptionsPerToken: 256,
  subscriptionMs: 3_600_000,
  askAgainMs: 2_000,
  lingerMs: 0,
  graceMs: 10_000,
  sweepMs: 1_000,
};
