import { setTimeout } from 'node:timers/promises';
import { fieldsOf } from '../../base/fields.ts';
import { type Operation, operations as allOperations } from '../../boundary/step/operation.ts';
import type { SessionAnswer } from './exposure.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { Grant, StoredRoot } from '../store/stored-root.ts';

/**
 * `once`: this request, or the next one if it could not wait. `session`: as long as the connection. `always` and
 * `never` are remembered.
 */
export type ConsentAnswer = 'once' | 'session' | 'always' | 'never';

/** An answer with more to it. */
export interface ConsentReply {
  readonly answer: ConsentAnswer;
  /** No more than these, whatever the permissions say. */
  readonly operations?: readonly Operation[];
  /** When it ends. */
  readonly until?: Date;
}

/** What a person is asked. */
export interface ExposureQuestion {
  readonly server: ServerIdentity;
  /** What the server would see. */
  readonly roots: readonly StoredRoot[];
  /** Aborted when the answer comes too late to count. */
  readonly signal: AbortSignal;
}

/** One answer for all roots, or one for each by its name. Anything else is a no for this session. */
export type AskExposure = (question: ExposureQuestion) => unknown;

export interface ConsentOptions {
  readonly server: ServerIdentity;
  readonly ask: AskExposure;
  /** Milliseconds that a person may think. */
  readonly patience: number;
  readonly now: () => Date;
  /** Keeps a grant; `false` if it could not, so that the answer is one for this session. */
  readonly remember: (root: StoredRoot, grant: Grant) => Promise<boolean>;
  /** Told of every answer, before it counts. */
  readonly onAnswer: (root: StoredRoot, answer: ConsentAnswer | 'dismissed') => Promise<void>;
}

/** What came of a question. */
export interface ConsentOutcome {
  /** By path, the roots that may be shown this once. */
  readonly once: ReadonlyMap<string, SessionAnswer>;
}

/** An answer, and which entry of the store it is about: what is added again is another. */
type KeptAnswer = SessionAnswer & { readonly added: string | undefined };

/** Asks a person about one server, one question at a time, and remembers what holds for the connection. */
export class RootsConsent {
  readonly #options: ConsentOptions;
  readonly #answers = new Map<string, KeptAnswer>();
  /** What was asked about, by path, with the time when it was added to the store. */
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

  /** Whether a person was asked about it in this connection. */
  wasAsked({ path }: StoredRoot): boolean {
    return this.#asked.has(path);
  }

  /**
   * Asks, unless a question is open already; whoever comes meanwhile waits for that one. What is answered for
   * once waits among the answers until somebody spends it.
   */
  ask(roots: readonly StoredRoot[]): Promise<ConsentOutcome> {
    this.#asking ??= this.#ask(roots).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** What was answered for once has been shown once. */
  spend(): void {
    for (const [path, { answer }] of this.#answers) if (answer === 'once') this.#answers.delete(path);
  }

  /** Drops what is about roots that are not stored any more, or were added again since. */
  retain(roots: readonly StoredRoot[]): void {
    if (this.#asked.size === 0) return;
    const stored = new Map(roots.map(({ path, added }) => [path, added]));
    const isGone = (path: string, added: string | undefined): boolean =>
      !stored.has(path) || stored.get(path) !== added;
    for (const [path, added] of this.#asked) if (isGone(path, added)) this.#asked.delete(path);
    for (const [path, { added }] of this.#answers) if (isGone(path, added)) this.#answers.delete(path);
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    this.#stop.abort();
  }

  async #ask(roots: readonly StoredRoot[]): Promise<ConsentOutcome> {
    const { server, ask, patience } = this.#options;
    for (const { path, added } of roots) this.#asked.set(path, added);
    const said = await answerWithin(patience, this.#stop.signal, (signal) => ask({ server, roots, signal }));
    for (const root of roots) {
      const reply = replyFor(said, root.name);
      if (this.#stop.signal.aborted) break;
      await this.#options.onAnswer(root, reply?.answer ?? 'dismissed');
      await this.#keep(root, reply ?? { answer: 'dismissed' });
    }
    return { once: new Map([...this.#answers].filter(([, { answer }]) => answer === 'once')) };
  }

  /**
   * What is kept for later holds because it is kept, and no longer: it can be taken back there. What cannot be
   * kept holds here, with its limits.
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

/** Nobody there, a failed question, too late: no. */
async function answerWithin(
  patience: number,
  stop: AbortSignal,
  ask: (signal: AbortSignal) => unknown,
): Promise<unknown> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stop]);
  const tooLate = setTimeout(patience, undefined, { signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([ask(signal), tooLate]);
  } catch {
    return undefined;
  } finally {
    over.abort();
  }
}

const words: readonly unknown[] = ['once', 'session', 'always', 'never'] satisfies ConsentAnswer[];

function replyFor(said: unknown, name: string): ConsentReply | undefined {
  const own = said instanceof Map ? (said.get(name) as unknown) : said;
  const reply = typeof own === 'string' ? { answer: own } : own;
  return isReply(reply) ? reply : undefined;
}

/** Limits that cannot be read would be none, so an answer with such is no answer. */
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
