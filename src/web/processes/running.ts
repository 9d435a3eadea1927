import { randomBytes } from 'node:crypto';
import { ChangeSignal } from '../../audit/change-signal.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import type { FileLock } from '../../boundary/write/lock.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import type { AnnouncedProcess, AskedQuestion } from '../wire/wire.ts';
import { answerName, readReply, type PageReply, takenName } from './answer-question.ts';
import { findRunning, readJson } from './find-running.ts';

/** The facts that a process announces; its id and times are added here. */
export type ProcessFacts = Omit<AnnouncedProcess, 'id' | 'pid' | 'started' | 'questions'>;
export type PageQuestion = Omit<AskedQuestion, 'id' | 'asked'>;

/** The announcement of a process, visible to the person's other processes until it closes or dies. */
export interface ProcessAnnouncement extends AsyncDisposable {
  readonly id: string;
  /** Changes the announced facts. Other processes see it within a moment. */
  update(change: Partial<ProcessFacts>): void;
  /** Asks on an open page. Resolves to `undefined` if there is no answer until the signal aborts. */
  readonly ask: (question: PageQuestion, signal: AbortSignal) => Promise<PageReply | undefined>;
  /** Whether a page is visible, or at least open in the background. */
  findPage(): Promise<'visible' | 'hidden' | undefined>;
  close(): Promise<void>;
}

/**
 * Announces this process in a directory of the user. It holds a system lock while it lives, so that the files of a dead
 * process are recognised, however it died.
 */
export async function announce(directory: string, facts: ProcessFacts): Promise<ProcessAnnouncement> {
  const boundary = await openOwnDirectory(directory);
  const id = `${facts.command}-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    // Taken before the file exists, so that a reader always finds it locked.
    const lock = await boundary.lock(`${id}.lock`);
    const live = new LiveAnnouncement({ boundary, lock, id, facts });
    await live.write();
    return live;
  } catch (error) {
    await boundary.close();
    throw error;
  }
}

interface AnnouncementParts {
  readonly boundary: Boundary;
  readonly lock: FileLock;
  readonly id: string;
  readonly facts: ProcessFacts;
}

/** Milliseconds within which changes are combined into one write. */
const settleFor = 50;

class LiveAnnouncement implements ProcessAnnouncement {
  readonly id: string;
  readonly #boundary: Boundary;
  readonly #lock: FileLock;
  readonly #started = new Date().toISOString();
  readonly #questions = new Map<string, AskedQuestion>();
  readonly #closing = new AbortController();
  #facts: ProcessFacts;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor({ boundary, lock, id, facts }: AnnouncementParts) {
    this.#boundary = boundary;
    this.#lock = lock;
    this.id = id;
    this.#facts = facts;
  }

  update(change: Partial<ProcessFacts>): void {
    this.#facts = { ...this.#facts, ...change };
    this.#changed();
  }

  async ask(question: PageQuestion, signal: AbortSignal): Promise<PageReply | undefined> {
    const id = randomBytes(8).toString('hex');
    this.#questions.set(id, { ...question, id, asked: new Date().toISOString() });
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const changes = new ChangeSignal(this.#boundary, stop);
    try {
      await this.write();
      while (!stop.aborted) {
        const reply = await this.#takeReply(id);
        if (reply !== undefined) return reply;
        if (!(await changes.next())) return undefined;
      }
      return undefined;
    } finally {
      changes.close();
      this.#questions.delete(id);
      if (!this.#closing.signal.aborted) this.#changed();
    }
  }

  async findPage(): Promise<'visible' | 'hidden' | undefined> {
    const running = await findRunning(this.#boundary);
    if (running.some(({ pages = 0 }) => pages > 0)) return 'visible';
    return running.some(({ hidden = 0 }) => hidden > 0) ? 'hidden' : undefined;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Writes the file. Writes run one at a time, so that the last one is the newest. */
  write(): Promise<void> {
    const next = this.#writing.then(() =>
      this.#boundary.write(`${this.id}.json`, JSON.stringify(this.#view()), { mode: 0o600 }),
    );
    this.#writing = next.catch(() => {});
    return next;
  }

  #view(): AnnouncedProcess {
    const { id } = this;
    const questions = [...this.#questions.values()];
    return { ...this.#facts, id, pid: process.pid, started: this.#started, questions };
  }

  #changed(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A failed write affects the page only, never a call.
      void this.write().catch(() => {});
    }, settleFor).unref();
  }

  async #takeReply(question: string): Promise<PageReply | undefined> {
    const name = answerName(this.id, question);
    const answer = await readJson(this.#boundary, name);
    if (answer === undefined) return undefined;
    await this.#boundary.remove(name);
    await removeQuietly(this.#boundary, takenName(this.id, question));
    return readReply(answer);
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#writing;
    await removeQuietly(this.#boundary, `${this.id}.json`);
    await removeQuietly(this.#boundary, `${this.id}.lock`);
    await this.#lock.release();
    await this.#boundary.close();
  }
}

async function removeQuietly(boundary: Boundary, name: string): Promise<void> {
  await boundary.remove(name).catch(() => {});
}
