import { randomBytes } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import type { Envelope, SessionStore } from '../../sessions/record/session-store.ts';
import { isNotification, type RpcMessage, type RpcNotification, type RpcResponse } from './json-rpc.ts';

/** Who waits for an answer of a client. */
export interface AnswerWaiter {
  readonly session: string;
  readonly principal: string;
  /** Called once. */
  readonly answer: (response: RpcResponse) => void;
  readonly progress: (notification: RpcNotification) => void;
}

/** What became of a message: it had a waiter, it had none, or it came from somebody else. */
export type AnswerOutcome = 'taken' | 'unknown' | 'forged';

/** What makes the ids of questions. */
export type QuestionMaker = Pick<SessionStore, 'nodeId' | 'digest' | 'isDigest'>;

/**
 * The questions of this node that clients have not answered. Their ids name the node, so that any node can
 * route an answer without looking anything up, hold 96 random bits, so that nobody can guess one, and a digest
 * of who was asked, so that any node can tell an answer of somebody else.
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

  /** The id with which to ask. */
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

  /** Gives a message to whoever waits for it, if it comes from the one who was asked. */
  take({ session, principal, message }: Envelope): AnswerOutcome {
    const arrived = message as RpcMessage;
    const id = questionOf(arrived);
    const waiter = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiter === undefined) return 'unknown';
    if (waiter.session !== session || waiter.principal !== principal) return 'forged';
    if (isNotification(arrived)) waiter.progress(arrived);
    else {
      // Before anybody is told: the same answer a second time is an answer to nothing.
      this.#waiting.delete(id);
      waiter.answer(arrived);
    }
    return 'taken';
  }
}

/** The question that a response answers, or that a progress notification is about. */
export function questionOf(message: RpcMessage): string | undefined {
  const id = isNotification(message) ? progressOf(message) : message.id;
  return typeof id === 'string' ? id : undefined;
}

/** Whom a question was put to. */
export type AskedClient = Pick<AnswerWaiter, 'session' | 'principal'>;

/** The node that asked; `forged` if it asked somebody else. */
export function nodeOf(
  maker: QuestionMaker,
  question: string,
  asked: AskedClient,
): { readonly node: string } | 'forged' | undefined {
  const [, name = '', node, digest = ''] = /^(([\w-]{16,64})\.[\w-]{16})([\w-]{43})$/.exec(question) ?? [];
  if (node === undefined) return undefined;
  return maker.isDigest(digest, name, asked.session, asked.principal) ? { node } : 'forged';
}

/** Only of a notification of progress: a client may put the field anywhere. */
function progressOf({ method, params }: RpcNotification): unknown {
  return method === 'notifications/progress' && isFields(params) ? params['progressToken'] : undefined;
}
