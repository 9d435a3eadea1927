import type { AuditEntry } from '../../audit/entry.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import { RootwardError } from '../../errors.ts';
import type { Composition } from '../compose/composition.ts';
import type { HeldComposition } from '../compose/composition-cache.ts';
import type { Connection } from '../connection/connection.ts';
import { type RequestFacts, markIn, readContext, requestIn } from '../sdk/call-context.ts';
import type { HandlerCall } from '../sdk/intercept-server.ts';
import { longestPlace, type ProjectArgumentName } from '../sdk/project-properties.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import type { Attachment } from './attachments.ts';

/** Methods whose result may be a question from 2026-07-28 on. */
const mayEndInQuestion: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const noNotes: readonly string[] = [];

/** One request from beginning to end. Most calls need few of its fields, so they are computed on first use. */
export class Call {
  /** The connection it arrived on. It stays the same even if another client connects meanwhile. */
  readonly attachment: Attachment;
  readonly #handlerCall: HandlerCall;
  readonly #request: Fields;
  readonly #argumentNames: readonly ProjectArgumentName[];
  #incoming: RequestFacts | undefined;
  #questions: Map<string, WireRequest> | undefined;
  /** A question is open: the client must answer it, whatever the handler returns. */
  waiting = false;
  /** The question which of several projects is meant, while it is open and afterwards. */
  choosing: Promise<string | undefined> | undefined;
  #compositions: Map<string, Promise<HeldComposition>> | undefined;
  /** The composition without a `cwd` of its own, once it is known. */
  seen: HeldComposition | undefined;
  /** Whether the root of its first path was looked at, and the composition that had to be given up for it. */
  hasLookedAtRoot = false;
  outdated: Composition | undefined;
  /** Compositions for other directories; released at the end, like `seen`. */
  #others: HeldComposition[] | undefined;
  #ended = false;
  /** An audit entry was made for it. */
  wasRecorded = false;
  #refusals: RootwardError[] | undefined;
  #changed: AuditEntry[] | undefined;
  #notes: string[] | undefined;

  /** `argumentNames`: the arguments that name the project of the call; the first one that is given counts. */
  constructor(
    attachment: Attachment,
    handlerCall: HandlerCall,
    argumentNames: readonly ProjectArgumentName[] = [],
  ) {
    this.attachment = attachment;
    this.#handlerCall = handlerCall;
    this.#request = requestIn(handlerCall.context);
    this.#argumentNames = argumentNames;
  }

  /** The object that all copies of its context share. */
  get mark(): object | undefined {
    return markIn(this.#request);
  }

  get connection(): Connection {
    return this.attachment.connection;
  }

  get incoming(): RequestFacts {
    this.#incoming ??= readContext(this.#handlerCall.context);
    return this.#incoming;
  }

  /** Questions to a 2026 client by key: those asked now and those answered in the previous round. */
  get questions(): Map<string, WireRequest> {
    this.#questions ??= new Map();
    return this.#questions;
  }

  /** The compositions of this call by argument. */
  get compositions(): Map<string, Promise<HeldComposition>> {
    this.#compositions ??= new Map();
    return this.#compositions;
  }

  /** Whether the call has started to look for its composition. */
  get looks(): boolean {
    return this.#compositions !== undefined && this.#compositions.size > 0;
  }

  /** Refusals that the handler received, in order. */
  get refusals(): RootwardError[] {
    this.#refusals ??= [];
    return this.#refusals;
  }

  get wasRefused(): boolean {
    return this.#refusals !== undefined;
  }

  /** Notes an audit entry of this call. */
  noteEntry(entry: AuditEntry): void {
    this.wasRecorded = true;
    if (entry.changed !== undefined) (this.#changed ??= []).push(entry);
  }

  /** The changes so far, in order; usually none. */
  get changed(): readonly AuditEntry[] {
    return this.#changed ?? [];
  }

  /** Whether the request has metadata beside its arguments. */
  get hasMeta(): boolean {
    return this.#request['_meta'] !== undefined;
  }

  get overHttp(): boolean {
    return this.connection.overHttp;
  }

  /** Whether the result of this method may be a question, in a revision that asks that way. */
  get mayAsk(): boolean {
    return mayEndInQuestion.has(this.#handlerCall.method);
  }

  /** The name of the called tool, if it is a tool call. */
  get tool(): string | undefined {
    const { method, params } = this.#handlerCall;
    return method === 'tools/call' && typeof params['name'] === 'string' ? params['name'] : undefined;
  }

  /** The project that the caller names in the arguments of a tool. */
  get argument(): string | undefined {
    if (this.#argumentNames.length === 0 || this.#handlerCall.method !== 'tools/call') return undefined;
    const named = this.#givenArgument;
    return typeof named === 'string' ? named : undefined;
  }

  /** Models fill arguments that they do not need with nothing. */
  get #givenArgument(): unknown {
    const given = fieldsOf(this.#handlerCall.params['arguments']);
    return this.#argumentNames.map((name) => given[name]).find((value) => (value ?? '') !== '');
  }

  /**
   * Refuses a project that is not a text. To ignore it would let the call work in another project.
   *
   * @throws {RootwardError} `INVALID_PATH`
   */
  checkArgument(): void {
    if (this.#argumentNames.length === 0) return;
    const named = this.#givenArgument;
    const isText = typeof named === 'string';
    if (named === undefined || (isText && named.length <= longestPlace)) return;
    const path = (isText ? named : JSON.stringify(named)).slice(0, 100);
    const reason = isText ? 'it is too long' : 'cwd and project are texts';
    throw new RootwardError('INVALID_PATH', { path, reason });
  }

  /** Adds a line to the answer, once. */
  note(line: string): void {
    this.#notes ??= [];
    if (!this.#notes.includes(line)) this.#notes.push(line);
  }

  get notes(): readonly string[] {
    return this.#notes ?? noNotes;
  }

  /** Sets the composition of the call. `own`: the one it uses unless it asks for another directory. */
  see(held: HeldComposition, own: boolean): void {
    if (this.#ended) held.release();
    else if (own && this.seen === undefined) this.seen = held;
    else (this.#others ??= []).push(held);
  }

  /** Drops the compositions so far, because they no longer apply. */
  lookAgain(): void {
    this.seen?.release();
    this.seen = undefined;
    if (this.#others !== undefined) for (const held of this.#others) held.release();
    this.#others = undefined;
    this.#compositions?.clear();
  }

  /** Releases everything of the call, including lookups that are still running. */
  end(): void {
    this.lookAgain();
    this.#ended = true;
  }
}

/** The running calls, by the object that all copies of a context share. */
export class RunningCalls {
  readonly #calls = new Map<object, Call>();

  get size(): number {
    return this.#calls.size;
  }

  /** A call without such an object cannot be found again, so it is not stored. */
  add(call: Call): void {
    if (call.mark !== undefined) this.#calls.set(call.mark, call);
  }

  /** Finds the call of a context, in every copy that an SDK makes of it. */
  find(context: unknown): Call | undefined {
    const mark = markIn(requestIn(context));
    return mark === undefined ? undefined : this.#calls.get(mark);
  }

  remove(call: Call): void {
    if (call.mark !== undefined) this.#calls.delete(call.mark);
  }
}
