import { randomBytes } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import type { Envelope, SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';
import { isNotification, type RpcMessage, type RpcNotification, type RpcResponse } from './json-rpc.ts';
import type { RefusalName } from './refusals.ts';

/** Waits for the answer of a client. */
export interface AnswerWaiter {
  readonly session: string;
  readonly principal: string;
  /** Called once. */
  readonly answer: (response: RpcResponse) => void;
  readonly progress: (notification: RpcNotification) => void;
}

/** The outcome of a message: delivered, without a waiter, or from the wrong client. */
export type AnswerOutcome = 'taken' | 'unknown' | 'forged';

/** The part of the session store that creates and checks the ids of questions. */
export type QuestionMaker = Pick<SessionStore, 'nodeId' | 'digest' | 'isDigest'>;

/**
 * The questions of this node that clients have not answered. Their ids contain the node, so that any node can
 * route an answer without a lookup; 96 random bits, so that they cannot be guessed; and a digest of session and
 * principal, so that any node can detect an answer from another client.
 */
export class WaitingAnswers {
  readonly #maker: QuestionMaker;
  readonly #waiting = new Map<string, AnswerWaiter>();

  constructor(maker: QuestionMaker) {
    this.#maker = maker;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Registers a waiter and returns the id to ask with. */
  expect(waiter: AnswerWaiter): string {
    const name = `${this.#maker.nodeId}.${randomBytes(12).toString('base64url')}`;
    const id = `${name}${this.#maker.digest(name, waiter.session, waiter.principal)}`;
    this.#waiting.set(id, waiter);
    return id;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  /** Delivers a message to its waiter, if it comes from the client that was asked. */
  take({ session, principal, message }: Envelope): AnswerOutcome {
    const arrived = message as RpcMessage;
    const id = questionOf(arrived);
    const waiter = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiter === undefined) return 'unknown';
    if (waiter.session !== session || waiter.principal !== principal) return 'forged';
    if (isNotification(arrived)) waiter.progress(arrived);
    else {
      // Removed first, so that a second copy of the answer finds no waiter.
      this.#waiting.delete(id);
      waiter.answer(arrived);
    }
    return 'taken';
  }
}

/** Returns the id of the question that a response answers or a progress notification refers to. */
export function questionOf(message: RpcMessage): string | undefined {
  const id = isNotification(message) ? progressOf(message) : message.id;
  return typeof id === 'string' ? id : undefined;
}

/** The client that a question was sent to. */
export type AskedClient = Pick<AnswerWaiter, 'session' | 'principal'>;

/** Returns the node that asked; `forged` if it asked another client. */
export function nodeOf(
  maker: QuestionMaker,
  question: string,
  asked: AskedClient,
): { readonly node: string } | 'forged' | undefined {
  const [, name = '', node, digest = ''] = /^(([\w-]{16,64})\.[\w-]{16})([\w-]{43})$/.exec(question) ?? [];
  if (node === undefined) return undefined;
  return maker.isDigest(digest, name, asked.session, asked.principal) ? { node } : 'forged';
}

/** Sends an answer to the node that asked. Returns the refusal if it was not accepted. */
export async function routeAnswer(
  store: SessionStore,
  { id: session, principal }: Pick<SessionRecord, 'id' | 'principal'>,
  message: RpcMessage,
): Promise<RefusalName | undefined> {
  const asked = nodeOf(store, questionOf(message) ?? '', { session, principal });
  if (asked === 'forged') return 'forged-answer';
  if (asked === undefined) return 'unknown-answer';
  const delivery = await store.deliver(asked.node, { session, principal, message });
  return delivery === 'accepted' ? undefined : 'unknown-answer';
}

/** Only for progress notifications: a client may put the field anywhere. */
function progressOf({ method, params }: RpcNotification): unknown {
  return method === 'notifications/progress' && isFields(params) ? params['progressToken'] : undefined;
}
