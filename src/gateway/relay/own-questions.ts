import { randomBytes } from 'node:crypto';
import { fieldsOf } from '../../base/fields.ts';
import { valueIn, type WireFrame } from './wire-frame.ts';

interface Settlement {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A request that went wrong, with the code of the answer. */
export class QuestionFailed extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The code with which a question fails whose other side is gone. */
const gone = -32_000;

/** The requests of the gateway itself to one side, under ids that no other program uses. */
export class OwnQuestions {
  /** 72 random bits for each connection. */
  readonly #prefix = `rw-${randomBytes(9).toString('base64url')}-`;
  readonly #open = new Map<string, Settlement>();
  #count = 0;

  /** The answer may never come. */
  ask(method: string, params: unknown, send: (message: object) => void): Promise<unknown> {
    const id = this.nextId();
    const answer = this.expect(id);
    send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return answer;
  }

  nextId(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }

  /** Waits for the answer to a request that is sent in another way. */
  expect(id: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  /** Takes an answer, if it belongs to one of these questions. */
  take(frame: WireFrame): boolean {
    if (typeof frame.id !== 'string' || !frame.id.startsWith(this.#prefix)) return false;
    const waiting = this.#open.get(frame.id);
    this.#open.delete(frame.id);
    if (frame.fields.has('error')) waiting?.reject(failureIn(frame));
    else waiting?.resolve(valueIn(frame, 'result'));
    return true;
  }

  /** Fails every question that is open. */
  close(reason: string): void {
    for (const { reject } of this.#open.values()) reject(new QuestionFailed(gone, reason));
    this.#open.clear();
  }
}

function failureIn(frame: WireFrame): QuestionFailed {
  const { code, message } = fieldsOf(valueIn(frame, 'error'));
  return new QuestionFailed(typeof code === 'number' ? code : -32_603, String(message));
}
