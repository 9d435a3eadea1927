/** Limits on the resources a client may use. Sizes are bytes, times milliseconds. */
export interface HttpLimits {
  /** Size of one request body. */
  readonly body: number;
  /** Time for the body to arrive. */
  readonly bodyMs: number;
  readonly headers: number;
  readonly headersMs: number;
  /** Size of the parameters of `initialize`, which are stored. */
  readonly initialize: number;
  /** Messages in one batch. */
  readonly batch: number;
  readonly connections: number;
  /** Concurrent calls: of all sessions, and of one. */
  readonly calls: number;
  readonly callsPerSession: number;
  /** Duration of one call. */
  readonly callMs: number;
  /** Bytes buffered for a client that does not read, and how long it may make no progress. */
  readonly unread: number;
  readonly stallMs: number;
  /** Silence after which a response becomes a stream, if the client accepts one. */
  readonly streamAfterMs: number;
  /** Silence on a stream after which a keep-alive comment is sent. */
  readonly keepAliveMs: number;
  /** New sessions: per second, and at once. */
  readonly sessionsPerSecond: number;
  readonly sessionBurst: number;
  /** Subscriptions of 2026-07-28: of all tokens, of one token, and how long one may last. */
  readonly subscriptions: number;
  readonly subscriptionsPerToken: number;
  readonly subscriptionMs: number;
  /** Time after which `roots/list` is sent again, where an answer may have been lost between nodes. */
  readonly askAgainMs: number;
  /** How long a closing server still accepts requests, so that a load balancer can redirect traffic. */
  readonly lingerMs: number;
  /** Time for running calls to finish when the endpoint closes. */
  readonly graceMs: number;
  /** Interval at which these limits are checked. */
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
