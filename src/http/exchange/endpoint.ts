import type { IncomingMessage, ServerResponse } from 'node:http';
import { Turnstile } from '../../base/turnstile.ts';
import { sessionEndedMethod } from '../../sessions/record/envelope-listener.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';
import { FinishedCalls, OpenCalls } from './calls.ts';
import type { HttpLimits } from './http-limits.ts';
import type { RpcId, RpcNotification, RpcRequest } from './json-rpc.ts';
import { NotificationStreams, type SubscriptionKind, ChangeSubscriptions } from './listeners.ts';
import type { AcceptedForms } from './read-body.ts';
import { type RefusalDetails, type RefusalName, refuse } from './refusals.ts';
import { Reply, type ReplyEvents } from './reply.ts';
import type { RequestStateCodec } from './request-state.ts';
import { PendingResumptions } from './resumptions.ts';
import type { HttpConnection, ServerFactory } from './server-like.ts';
import type { EndpointMeters } from './telemetry.ts';
import { WaitingAnswers } from './waiting-answers.ts';

/** Something the operator of the endpoint may want to know. It contains no secrets. */
export interface HttpEvent {
  readonly kind:
    | RefusalName
    | 'slow-reader'
    | 'late-call'
    | 'lost-call'
    | 'resumed-call'
    | 'dropped-cancel'
    | 'asked-again'
    | 'session-begun'
    | 'session-ended'
    /** Metadata of a request of 2026-07-28 had mistakes. */
    | 'request-repaired'
    /** A response that no request waits for. */
    | 'stray-response'
    | 'failed';
  readonly principal?: string;
  readonly session?: string;
  /** The parameters of `initialize` as the client sent them, with the session that they began. */
  readonly params?: unknown;
  /** The mistakes that were repaired, in them or in the metadata of a request. */
  readonly repairs?: readonly string[];
  /** A response that no request waits for. */
  readonly message?: unknown;
  readonly error?: unknown;
}

/** The parts of an endpoint that its creator chooses. */
export type EndpointParts = Pick<
  Endpoint,
  | 'store'
  | 'limits'
  | 'createServer'
  | 'codec'
  | 'notifications'
  | 'announces'
  | 'repeatable'
  | 'record'
  | 'meters'
>;

/** One authenticated request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: string;
  readonly accepts: AcceptedForms;
}

/** State that all requests of one endpoint share. */
export class Endpoint {
  readonly store: SessionStore;
  readonly limits: HttpLimits;
  readonly createServer: ServerFactory;
  readonly codec: RequestStateCodec;
  /** Whether clients may open a notification stream. */
  readonly notifications: boolean;
  /** The changes a client of 2026-07-28 can subscribe to; `undefined` leaves subscriptions to the server. */
  readonly announces: readonly SubscriptionKind[] | undefined;
  /** Whether a call may be repeated without harm. */
  readonly repeatable: (request: RpcRequest) => boolean;
  readonly record: (event: HttpEvent) => void;
  readonly meters: EndpointMeters;
  readonly waiting: WaitingAnswers;
  readonly calls: OpenCalls = new OpenCalls();
  readonly streams: NotificationStreams = new NotificationStreams();
  readonly subscriptions: ChangeSubscriptions = new ChangeSubscriptions();
  /** Limits how many sessions begin at once, so that calls of existing ones come first. */
  readonly starts: Turnstile = new Turnstile({ places: 4, waiting: 1_000 });
  /** Results of calls on this node whose client may have lost the stream. */
  readonly finished: FinishedCalls = new FinishedCalls();
  readonly resumptions: PendingResumptions = new PendingResumptions();
  /** Tells whether another session may begin now. */
  readonly admit: () => boolean;
  /** Slots that can be emptied, because a Set may retain a deleted element until it is rehashed. */
  readonly #replies = new Set<{ reply: Reply | undefined }>();
  /** How many of them are notification streams or subscriptions. */
  #endless = 0;
  readonly #news = new Map<string, () => boolean>();

  constructor(parts: EndpointParts) {
    this.store = parts.store;
    this.limits = parts.limits;
    this.createServer = parts.createServer;
    this.codec = parts.codec;
    this.notifications = parts.notifications;
    this.announces = parts.announces;
    this.repeatable = parts.repeatable;
    this.meters = parts.meters;
    this.record = (event) => {
      try {
        parts.meters.countEvent(event.kind);
        parts.record(event);
      } catch {
        // An observer must not be able to break the endpoint.
      }
    };
    this.waiting = new WaitingAnswers(parts.store);
    this.admit = createTokenBucket({
      perSecond: parts.limits.sessionsPerSecond,
      burst: parts.limits.sessionBurst,
    });
  }

  /** Number of responses under way, without notification streams and subscriptions. */
  get open(): number {
    return this.#replies.size - this.#endless;
  }

  /** Sends to every open stream and matching subscription on this node. */
  tellAll(notification: RpcNotification): void {
    this.streams.send(notification);
    this.subscriptions.send(notification);
  }

  /** Ends the streams and subscriptions, which never end by themselves. */
  endStreams(): void {
    this.streams.end();
    this.subscriptions.end();
  }

  turnAway(
    exchange: Exchange,
    name: RefusalName,
    details: RefusalDetails & { readonly session?: string } = {},
  ): void {
    const { session, ...rest } = details;
    this.record({ kind: name, principal: exchange.principal, ...(session === undefined ? {} : { session }) });
    refuse(exchange.response, name, rest);
  }

  /** Opens a reply, which `look` checks until it is sent or the client is gone. */
  openReply({ response, accepts, principal }: Exchange, events: ReplyEvents = {}): Reply {
    const reply = new Reply(response, accepts, this.limits, {
      ...events,
      slow: () => {
        this.record({ kind: 'slow-reader', principal });
        events.slow?.();
      },
    });
    const slot: { reply: Reply | undefined } = { reply };
    this.#replies.add(slot);
    if (events.endless === true) this.#endless += 1;
    response.once('close', () => {
      slot.reply = undefined;
      this.#replies.delete(slot);
      if (events.endless === true) this.#endless -= 1;
    });
    return reply;
  }

  /** Applies the time limits: slow readers, keep-alive, calls that take too long. */
  look(): void {
    for (const { reply } of this.#replies) reply?.look();
    this.finished.sweep();
  }

  /** Gives every open reply the chance to send a last message before its connection is closed. */
  cut(): void {
    for (const { reply } of this.#replies) reply?.cut();
  }

  /** Limits how often a principal can make this node send to all other nodes. */
  mayAnnounce(principal: string): boolean {
    const may = this.#news.get(principal) ?? createTokenBucket({ perSecond: 200, burst: 1_000 });
    this.#news.set(principal, may);
    return may();
  }

  /** Sends to the stream of a session, on whichever node it is open. */
  notify(session: string, notification: RpcNotification): void {
    if (!this.notifications || this.streams.send(notification, session)) return;
    void this.announce({ id: session, principal: '' }, notification).catch(() => {});
  }

  /** Sends a message to the other nodes. */
  async announce(about: Pick<SessionRecord, 'id' | 'principal'>, message: RpcNotification): Promise<void> {
    await this.store.announce({ session: about.id, principal: about.principal, message });
  }

  /** Returns the facts about a connection that are the same in both eras. */
  connectionFor(principal: string): Pick<HttpConnection, 'principal' | 'requestState'> {
    return {
      principal,
      requestState: {
        seal: (payload) => this.codec.seal(payload, principal),
        verify: (text) => this.codec.open(text, principal),
      },
    };
  }
}

/** Tells other nodes that a session is over. */
export const sessionEnded: RpcNotification = { jsonrpc: '2.0', method: sessionEndedMethod };

/** Tells other nodes that the stream of a session is now open on this one. */
export const streamOpened: RpcNotification = { jsonrpc: '2.0', method: 'rootward/stream_opened' };

/** Builds the error response of an abandoned request. */
export function giveUp(id: RpcId, message: string): { jsonrpc: '2.0'; id: RpcId; error: object } {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } };
}

export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Creates a token bucket: it returns true `burst` times at once, then `perSecond` times a second. */
export function createTokenBucket({
  perSecond,
  burst,
  now = () => performance.now(),
}: BucketOptions): () => boolean {
  let left = burst;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(burst, left + ((time - last) / 1_000) * perSecond);
    last = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
