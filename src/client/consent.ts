import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../boundary/operation.ts';
import type { SessionAnswer } from './exposure.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { Grant, StoredRoot } from './stored-root.ts';

/** `once`: this request. `session`: as long as the connection. `always` and `never` are remembered. */
export type ConsentAnswer = 'once' | 'session' | 'always' | 'never';

/** An answer with more to it. */
export interface ConsentReply {
  readonly answer: ConsentAnswer;
  /** No more than these. For `always`. */
  readonly operations?: readonly Operation[];
  /** When it ends. For `always`. */
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
export interface Consented {
  /** Paths of the roots that may be shown this once. */
  readonly once: ReadonlySet<string>;
}

/** Asks a person about one server, one question at a time, and remembers what holds for the connection. */
export class Consent {
  readonly #options: ConsentOptions;
  readonly #answers = new Map<string, SessionAnswer>();
  readonly #stop = new AbortController();
  #asking: Promise<Consented> | undefined;

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** By path of the root. */
  get answers(): ReadonlyMap<string, SessionAnswer> {
    return this.#answers;
  }

  /** Asks, unless a question is open already; whoever comes meanwhile waits for that one. */
  ask(roots: readonly StoredRoot[]): Promise<Consented> {
    this.#asking ??= this.#ask(roots).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    this.#stop.abort();
  }

  async #ask(roots: readonly StoredRoot[]): Promise<Consented> {
    const { server, ask, patience } = this.#options;
    const said = await answerWithin(patience, this.#stop.signal, (signal) => ask({ server, roots, signal }));
    const once = new Set<string>();
    for (const root of roots) {
      const reply = replyFor(said, root.name);
      if (this.#stop.signal.aborted) break;
      await this.#options.onAnswer(root, reply?.answer ?? 'dismissed');
      if (reply?.answer === 'once') once.add(root.path);
      else await this.#keep(root, reply);
    }
    return { once };
  }

  /** What is kept for later holds because it is kept, and no longer: it can be taken back there. */
  async #keep(root: StoredRoot, reply: ConsentReply | undefined): Promise<void> {
    const answer = reply?.answer ?? 'dismissed';
    const isLasting = answer === 'always' || answer === 'never';
    if (reply !== undefined && isLasting && (await this.#remember(root, { ...reply, answer }))) return;
    this.#answers.set(root.path, answer === 'always' || answer === 'once' ? 'session' : answer);
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

function isReply(value: unknown): value is ConsentReply {
  return typeof value === 'object' && value !== null && 'answer' in value && words.includes(value.answer);
}
