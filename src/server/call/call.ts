import type { AuditEntry } from '../../audit/entry.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { RootwardError } from '../../errors.ts';
import type { HeldComposition } from '../compose/composition-cache.ts';
import type { Connection } from '../connection/connection.ts';
import { type RequestFacts, markIn, readContext, requestIn } from '../sdk/call-context.ts';
import type { HandlerCall } from '../sdk/intercept-requests.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import type { Attachment } from './attachments.ts';

/** Methods that may end in a question from 2026-07-28 on. */
const mayEndInQuestion: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** One request from its beginning to its end. Most need nothing of what is in it, so it is made when it is asked for. */
export class Call {
  /** Its own to the end, whoever connects meanwhile. */
  readonly attachment: Attachment;
  readonly #arrival: HandlerCall;
  readonly #request: Fields;
  readonly #takesArgument: boolean;
  #incoming: RequestFacts | undefined;
  #questions: Map<string, WireRequest> | undefined;
  /** A question is open: whatever the handler returns, the client has to answer first. */
  waiting = false;
  #compositions: Map<string, Promise<HeldComposition>> | undefined;
  /** The one without an argument of its own, once it is there. */
  seen: HeldComposition | undefined;
  /** What it saw from somewhere else; like `seen`, let go at its end. */
  #others: HeldComposition[] | undefined;
  #ended = false;
  #refusals: RootwardError[] | undefined;
  #changed: AuditEntry[] | undefined;

  /** `takesArgument`: `cwd` or `project` among its arguments names its project. */
  constructor(attachment: Attachment, arrival: HandlerCall, takesArgument: boolean) {
    this.attachment = attachment;
    this.#arrival = arrival;
    this.#request = requestIn(arrival.context);
    this.#takesArgument = takesArgument;
  }

  /** What all copies of its context have in common. */
  get mark(): object | undefined {
    return markIn(this.#request);
  }

  get connection(): Connection {
    return this.attachment.connection;
  }

  get incoming(): RequestFacts {
    this.#incoming ??= readContext(this.#arrival.context);
    return this.#incoming;
  }

  /** Questions to a 2026 client, by key: those put now and those answered in the round before. */
  get questions(): Map<string, WireRequest> {
    this.#questions ??= new Map();
    return this.#questions;
  }

  /** What the call sees, once it looked; by argument. */
  get compositions(): Map<string, Promise<HeldComposition>> {
    this.#compositions ??= new Map();
    return this.#compositions;
  }

  /** Whether it has begun to look. */
  get looks(): boolean {
    return this.#compositions !== undefined && this.#compositions.size > 0;
  }

  /** Refusals that the handler was told, the last one last. */
  get refusals(): RootwardError[] {
    this.#refusals ??= [];
    return this.#refusals;
  }

  get wasRefused(): boolean {
    return this.#refusals !== undefined;
  }

  /** Notes an entry that says that something was changed. */
  noteChanged(entry: AuditEntry): void {
    (this.#changed ??= []).push(entry);
  }

  /** What was changed so far, in order; nothing for most. */
  get changed(): readonly AuditEntry[] {
    return this.#changed ?? [];
  }

  /** Whether its request says something beside its arguments. */
  get hasMeta(): boolean {
    return this.#request['_meta'] !== undefined;
  }

  get overHttp(): boolean {
    return this.connection.overHttp;
  }

  /** Whether its method can end in a question, in a revision where that is how to ask. */
  get mayAsk(): boolean {
    return mayEndInQuestion.has(this.#arrival.method);
  }

  /** The tool that is called, if it is one. */
  get tool(): string | undefined {
    const { method, params } = this.#arrival;
    return method === 'tools/call' && typeof params['name'] === 'string' ? params['name'] : undefined;
  }

  /** The project that the caller names among the arguments of a tool. */
  get argument(): string | undefined {
    if (!this.#takesArgument || this.#arrival.method !== 'tools/call') return undefined;
    const { cwd, project } = fieldsOf(this.#arrival.params['arguments']);
    const named = cwd ?? project;
    return typeof named === 'string' && named !== '' ? named : undefined;
  }

  /** From now on this is what the call sees; `own`: what it sees unless it looks from somewhere else. */
  see(held: HeldComposition, own: boolean): void {
    if (this.#ended) held.release();
    else if (own && this.seen === undefined) this.seen = held;
    else (this.#others ??= []).push(held);
  }

  /** What was seen so far is no longer what counts. */
  lookAgain(): void {
    this.seen?.release();
    this.seen = undefined;
    if (this.#others !== undefined) for (const held of this.#others) held.release();
    this.#others = undefined;
    this.#compositions?.clear();
  }

  /** Nothing of a call outlives it, also what was still being looked up. */
  end(): void {
    this.lookAgain();
    this.#ended = true;
  }
}

/**
 * Calls that are running, by what all copies of a context have in common. Most clients wait for one before they
 * send the next: that one has a place of its own, and no table is built anew for it.
 */
export class RunningCalls {
  #mark: object | undefined;
  #call: Call | undefined;
  readonly #others = new Map<object, Call>();

  get size(): number {
    return this.#others.size + (this.#call === undefined ? 0 : 1);
  }

  /** One without a mark cannot be found again, and is not kept. */
  add(call: Call): void {
    const { mark } = call;
    if (mark === undefined) return;
    if (this.#call !== undefined) {
      this.#others.set(mark, call);
      return;
    }
    this.#mark = mark;
    this.#call = call;
  }

  /** The call that a context belongs to, in every copy that an SDK makes of it. */
  find(context: unknown): Call | undefined {
    const mark = markIn(requestIn(context));
    if (mark === undefined) return undefined;
    return mark === this.#mark ? this.#call : this.#others.get(mark);
  }

  remove(call: Call): void {
    if (call === this.#call) {
      this.#mark = undefined;
      this.#call = undefined;
    } else if (call.mark !== undefined) this.#others.delete(call.mark);
  }
}
