import type { RpcId } from '../../http/exchange/json-rpc.ts';
import { replaceField, valueIn, type WireFrame } from './wire-frame.ts';

interface ServerQuestion {
  readonly life: number;
  /** The id that the server gave. */
  readonly id: RpcId;
}

/**
 * The requests of the server to the client. The first process of a server keeps its ids, so that its messages pass
 * unchanged. A process that replaces it counts from zero again; it gets other ids, so that a late answer to a
 * question of the old one is not taken for an answer to its own.
 */
export class ServerQuestions {
  readonly #open = new Map<RpcId, ServerQuestion>();
  /** The number of processes before this one. */
  #life = 0;
  #offset = 0;
  #highest = -1;

  /** Another process has taken the place of the server. */
  restart(): void {
    this.#life += 1;
    this.#offset = this.#highest + 1;
  }

  /** The line for the client. */
  ask(frame: WireFrame): Buffer {
    const { id, bytes } = frame;
    if (id === undefined) return bytes;
    const given = this.#idFor(id);
    if (typeof given === 'number') this.#highest = Math.max(this.#highest, Math.ceil(given));
    this.#open.set(given, { life: this.#life, id });
    return given === id ? bytes : replaceField(frame, 'id', given);
  }

  /** The line for the server; `undefined` if no question of this process waits for it. */
  answer(frame: WireFrame): Buffer | undefined {
    const question = frame.id === undefined ? undefined : this.#open.get(frame.id);
    if (question === undefined || frame.id === undefined) return undefined;
    this.#open.delete(frame.id);
    if (question.life !== this.#life) return undefined;
    return question.id === frame.id ? frame.bytes : replaceField(frame, 'id', question.id);
  }

  /** The line that takes a question back; `undefined` if it was answered. */
  takeBack(frame: WireFrame): Buffer | undefined {
    const id = valueIn(frame, 'params', 'requestId');
    if (typeof id !== 'string' && typeof id !== 'number') return frame.bytes;
    const given = this.#idFor(id);
    if (!this.#open.delete(given)) return undefined;
    if (given === id) return frame.bytes;
    const params = valueIn(frame, 'params');
    return replaceField(frame, 'params', { ...(params as object), requestId: given });
  }

  #idFor(id: RpcId): RpcId {
    if (this.#life === 0) return id;
    return typeof id === 'number' ? id + this.#offset : `rw-${this.#life}-${id}`;
  }
}
