import type { IncomingMessage, ServerResponse } from 'node:http';
import { Turnstile } from '../../base/turnstile.ts';
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

/** Something that whoever runs the endpoint may want to know. Nothing in it is a secret. */
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
    | 'failed';
  readonly principal?: string;
  readonly session?: string;
  readonly error?: unknown;
}

export interface EndpointParts {
  readonly store: SessionStore;
  readonly limits: HttpLimits;
  readonly createServer: ServerFactory;
  readonly codec: RequestStateCodec;
  /** Whether clients may open a stream for notifications. */
  readonly notifications: boolean;
  /** What a client of 2026-07-28 can subscribe to; `undefined` if the server says. */
  readonly announces: readonly SubscriptionKind[] | undefined;
  /** Which calls may be made twice without harm. */
  readonly repeatable: (request: RpcRequest) => boolean;
  readonly record: (event: HttpEvent) => void;
  readonly meters: EndpointMeters;
}

/** One request whose sender is known. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: string;
  readonly accepts: AcceptedForms;
}

/** What the requests of one endpoint share. */
export class Endpoint implements EndpointParts {
  readonly store: SessionStore;
  readonly limits: HttpLimits;
  readonly createServer: ServerFactory;
  readonly codec: RequestStateCodec;
  readonly notifications: boolean;
  readonly announces: readonly SubscriptionKind[] | undefined;
  readonly repeatable: (request: RpcRequest) => boolean;
  readonly record: (event: HttpEvent) => void;
  readonly meters: EndpointMeters;
  readonly waiting: WaitingAnswers;
  readonly calls: OpenCalls = new OpenCalls();
  readonly streams: NotificationStreams = new NotificationStreams();
  readonly subscriptions: ChangeSubscriptions = new ChangeSubscriptions();
  /** Sessions that begin, a few at a time: those that there are come first. */
  readonly starts: Turnstile = new Turnstile({ places: 4, waiting: 1_000 });
  /** How calls ended whose stream may be lost, here, and what other nodes are asked about theirs. */
  readonly finished: FinishedCalls = new FinishedCalls();
  readonly resumptions: PendingResumptions = new PendingResumptions();
  /** Whether another session may begin now. */
  readonly admit: () => boolean;
  /** In slots that can be emptied: a set holds what was deleted from it for longer than one would think. */
  readonly #replies = new Set<{ reply: Reply | undefined }>();
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
        parts.meters.happened(event.kind);
        parts.record(event);
      } catch {
        // Who watches must not be able to break what is watched.
      }
    };
    this.waiting = new WaitingAnswers(parts.store);
    this.admit = createTokenBucket({
      perSecond: parts.limits.sessionsPerSecond,
      burst: parts.limits.sessionBurst,
    });
  }

  /** Answers under way, streams for notifications not counted. */
  get open(): number {
    return this.#replies.size - this.streams.size - this.subscriptions.size;
  }

  /** To everybody here who wants to know. */
  tellAll(notification: RpcNotification): void {
    this.streams.send(notification);
    this.subscriptions.send(notification);
  }

  /** Ends what would never end by itself. */
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

  /** An answer that is looked after until it is sent or nobody wants it any more. */
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
    response.once('close', () => {
      slot.reply = undefined;
      this.#replies.delete(slot);
    });
    return reply;
  }

  /** What time does: slow readers, silent streams, calls without end. */
  look(): void {
    for (const { reply } of this.#replies) reply?.look();
    this.finished.sweep();
  }

  /** The end: what is under way is told so, while it can be. */
  cut(): void {
    for (const { reply } of this.#replies) reply?.cut();
  }

  /** Whether somebody may make this node tell all others about it: not as often as they like. */
  mayAnnounce(principal: string): boolean {
    const may = this.#news.get(principal) ?? createTokenBucket({ perSecond: 200, burst: 1_000 });
    this.#news.set(principal, may);
    return may();
  }

  /** To the stream of a session, on whichever node it is. */
  notify(session: string, notification: RpcNotification): void {
    if (!this.notifications || this.streams.send(notification, session)) return;
    void this.announce({ id: session, principal: '' }, notification).catch(() => {});
  }

  /** Tells the other nodes. */
  async announce(about: Pick<SessionRecord, 'id' | 'principal'>, message: RpcNotification): Promise<void> {
    await this.store.announce({ session: about.id, principal: about.principal, message });
  }

  /** What a server is told, besides what it remembers. */
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

/** How nodes tell each other that a session is over. */
export const sessionEnded: RpcNotification = { jsonrpc: '2.0', method: 'rootward/session_ended' };

/** How a node tells the others that the stream of a session is with it now. */
export const streamOpened: RpcNotification = { jsonrpc: '2.0', method: 'rootward/stream_opened' };

/** The error that answers a request which was given up. */
export function giveUp(id: RpcId, message: string): { jsonrpc: '2.0'; id: RpcId; error: object } {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } };
}

export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Says yes `burst` times at once, and `perSecond` times a second from then on. */
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
