import { fieldsOf } from '../../base/fields.ts';
import { askWithin, type WaitBounds } from '../../base/wait.ts';
import { type Operation, operations as allOperations } from '../../boundary/step/operation.ts';
import type { SessionAnswer } from './exposure.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { Grant, StoredRoot } from '../store/stored-root.ts';

/**
 * `once`: this request, or the next one if it could not wait. `session`: as long as the connection lasts. `always` and
 * `never` are stored.
 */
export type ConsentAnswer = 'once' | 'session' | 'always' | 'never';

/** An answer with limits. */
export interface ConsentReply {
  readonly answer: ConsentAnswer;
  /** Upper limit, whatever the permissions allow. */
  readonly operations?: readonly Operation[];
  /** When it expires. */
  readonly until?: Date;
}

/** A question to a person. */
export interface ExposureQuestion {
  readonly server: ServerIdentity;
  /** The roots that the server would see. */
  readonly roots: readonly StoredRoot[];
  /** Aborted when an answer would come too late. */
  readonly signal: AbortSignal;
}

/** One answer for all roots, or answers by root name; `undefined`: the person did not answer. */
export type ExposureAnswer =
  | ConsentAnswer
  | ConsentReply
  | ReadonlyMap<string, ConsentAnswer | ConsentReply>
  | undefined;

/**
 * Asks a person. A root without an answer is refused for this session. So is an answer of another shape, which only a
 * program without a compiler can give.
 */
export type AskExposure = (question: ExposureQuestion) => ExposureAnswer | Promise<ExposureAnswer>;

export interface ConsentOptions {
  readonly server: ServerIdentity;
  readonly ask: AskExposure;
  /** Milliseconds a person has to answer. */
  readonly patience: number;
  readonly now: () => Date;
  /** Stores a grant. If it resolves to `false`, the answer holds for this session only. */
  readonly remember: (root: StoredRoot, grant: Grant) => Promise<boolean>;
  /** Called with every answer before it takes effect. */
  readonly onAnswer: (root: StoredRoot, answer: ConsentAnswer | 'dismissed') => Promise<void>;
}

/** The outcome of a question. */
export interface ConsentOutcome {
  /** The roots that may be shown once, by path. */
  readonly once: ReadonlyMap<string, SessionAnswer>;
}

/** An answer, and the time its root was added: a root that is added again is another one. */
type KeptAnswer = SessionAnswer & { readonly added: string | undefined };

/** Asks a person about one server, one question at a time, and keeps the answers for the connection. */
export class RootsConsent {
  readonly #options: ConsentOptions;
  readonly #answers = new Map<string, KeptAnswer>();
  /** The roots that were asked about, by path, with the time they were added to the store. */
  readonly #asked = new Map<string, string | undefined>();
  readonly #stop = new AbortController();
  #asking: Promise<ConsentOutcome> | undefined;

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** By path of the root. */
  get answers(): ReadonlyMap<string, SessionAnswer> {
    return this.#answers;
  }

  /** Tells whether a person was asked about a root in this connection. */
  wasAsked({ path }: StoredRoot): boolean {
    return this.#asked.has(path);
  }

  /**
   * Asks, unless a question is open already: then it waits for that one. A one-time answer stays among the answers
   * until `spend` is called.
   */
  ask(roots: readonly StoredRoot[]): Promise<ConsentOutcome> {
    this.#asking ??= this.#ask(roots).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Removes the one-time answers after they were shown. */
  spend(): void {
    for (const [path, { answer }] of this.#answers) if (answer === 'once') this.#answers.delete(path);
  }

  /** Drops answers about roots that were removed, or removed and added again. */
  retain(roots: readonly StoredRoot[]): void {
    if (this.#asked.size === 0) return;
    const stored = new Map(roots.map(({ path, added }) => [path, added]));
    const isGone = (path: string, added: string | undefined): boolean =>
      !stored.has(path) || stored.get(path) !== added;
    for (const [path, added] of this.#asked) if (isGone(path, added)) this.#asked.delete(path);
    for (const [path, { added }] of this.#answers) if (isGone(path, added)) this.#answers.delete(path);
  }

  /** Cancels the open question. */
  close(): void {
    this.#stop.abort();
  }

  async #ask(roots: readonly StoredRoot[]): Promise<ConsentOutcome> {
    const { server, ask, patience } = this.#options;
    for (const { path, added } of roots) this.#asked.set(path, added);
    const bounds = { patience, signal: this.#stop.signal, ref: false };
    const answers = await askPerson((signal) => ask({ server, roots, signal }), bounds);
    for (const root of roots) {
      const reply = replyFor(answers, root.name);
      if (this.#stop.signal.aborted) break;
      await this.#options.onAnswer(root, reply?.answer ?? 'dismissed');
      await this.#keep(root, reply ?? { answer: 'dismissed' });
    }
    return { once: new Map([...this.#answers].filter(([, { answer }]) => answer === 'once')) };
  }

  /**
   * Stores a lasting answer; it then counts only as long as it is stored, so that it can be revoked there. Any other
   * answer, or one that cannot be stored, is kept here with its limits.
   */
  async #keep(root: StoredRoot, reply: PersonReply): Promise<void> {
    const { answer, operations, until } = reply;
    const isLasting = answer === 'always' || answer === 'never';
    if (isLasting && (await this.#remember(root, { ...reply, answer }))) return;
    this.#answers.set(root.path, {
      answer: answer === 'always' ? 'session' : answer,
      ...(operations === undefined ? {} : { operations }),
      ...(until === undefined ? {} : { until }),
      added: root.added,
    });
  }

  #remember(
    root: StoredRoot,
    { answer, operations, until }: ConsentReply & { readonly answer: Grant['answer'] },
  ): Promise<boolean> {
    const { server, now, remember } = this.#options;
    return remember(root, {
      server: server.name,
      fingerprint: server.fingerprint,
      answer,
      date: now().toISOString(),
      ...(until === undefined ? {} : { until: until.toISOString() }),
      ...(operations === undefined ? {} : { operations }),
    });
  }
}

type PersonReply = Omit<ConsentReply, 'answer'> & { readonly answer: ConsentAnswer | 'dismissed' };

/** A failed, dismissed or late question counts as no answer. */
async function askPerson(ask: (signal: AbortSignal) => unknown, bounds: WaitBounds): Promise<unknown> {
  try {
    const answer = await askWithin(ask, bounds);
    return 'value' in answer ? answer.value : undefined;
  } catch {
    return undefined;
  }
}

const words: readonly unknown[] = ['once', 'session', 'always', 'never'] satisfies ConsentAnswer[];

function replyFor(answers: unknown, name: string): ConsentReply | undefined {
  const own = answers instanceof Map ? (answers.get(name) as unknown) : answers;
  const reply = typeof own === 'string' ? { answer: own } : own;
  return isReply(reply) ? reply : undefined;
}

/** An answer with unreadable limits is invalid, because ignoring them would remove the limits. */
function isReply(value: unknown): value is ConsentReply {
  const { answer, operations, until } = fieldsOf(value);
  return words.includes(answer) && (operations === undefined || isList(operations)) && isTime(until);
}

function isList(value: unknown): boolean {
  const known: readonly unknown[] = allOperations;
  return Array.isArray(value) && value.every((item) => known.includes(item));
}

function isTime(value: unknown): boolean {
  return value === undefined || (value instanceof Date && !Number.isNaN(value.getTime()));
}
