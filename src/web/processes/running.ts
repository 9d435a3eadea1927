import { randomBytes } from 'node:crypto';
import { ChangeSignal } from '../../audit/change-signal.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import type { FileLock } from '../../boundary/write/lock.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import type { AnnouncedProcess, AskedQuestion } from '../wire/wire.ts';
import { answerName, readReply, type PageReply, takenName } from './answer-question.ts';
import { findRunning, readJson } from './find-running.ts';

/** What a process says about itself; the rest is known here. */
export type ProcessFacts = Omit<AnnouncedProcess, 'id' | 'pid' | 'started' | 'questions'>;
export type PageQuestion = Omit<AskedQuestion, 'id' | 'asked'>;

/** A process that is known to the others of this person, until it closes or dies. */
export interface ProcessAnnouncement extends AsyncDisposable {
  readonly id: string;
  /** Says something else from now on. Told to the others within a moment. */
  say(change: Partial<ProcessFacts>): void;
  /** Asks whoever looks at a page. `undefined` if nobody answers until the signal aborts. */
  readonly ask: (question: PageQuestion, signal: AbortSignal) => Promise<PageReply | undefined>;
  /** Whether somebody has a page in front of them, or at least one put away. */
  findPage(): Promise<'visible' | 'hidden' | undefined>;
  close(): Promise<void>;
}

/**
 * Announces this process in a directory of the person's own. It holds a lock of the system as long as it lives,
 * so that what a dead one has left is recognised, however it died.
 */
export async function announce(directory: string, said: ProcessFacts): Promise<ProcessAnnouncement> {
  const boundary = await openOwnDirectory(directory);
  const id = `${said.command}-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    // Before the file is there: who finds it finds it locked.
    const lock = await boundary.lock(`${id}.lock`);
    const live = new LiveAnnouncement({ boundary, lock, id, said });
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
  readonly said: ProcessFacts;
}

/** Many changes within this time are one file. Milliseconds. */
const settleFor = 50;

class LiveAnnouncement implements ProcessAnnouncement {
  readonly id: string;
  readonly #boundary: Boundary;
  readonly #lock: FileLock;
  readonly #started = new Date().toISOString();
  readonly #questions = new Map<string, AskedQuestion>();
  readonly #closing = new AbortController();
  #said: ProcessFacts;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor({ boundary, lock, id, said }: AnnouncementParts) {
    this.#boundary = boundary;
    this.#lock = lock;
    this.id = id;
    this.#said = said;
  }

  say(change: Partial<ProcessFacts>): void {
    this.#said = { ...this.#said, ...change };
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

  /** The file as it is now. One at a time, so that the last one is the newest. */
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
    return { ...this.#said, id, pid: process.pid, started: this.#started, questions };
  }

  #changed(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A full disk costs the page, and no call.
      void this.write().catch(() => {});
    }, settleFor).unref();
  }

  async #takeReply(question: string): Promise<PageReply | undefined> {
    const name = answerName(this.id, question);
    const said = await readJson(this.#boundary, name);
    if (said === undefined) return undefined;
    await this.#boundary.remove(name);
    await removeQuietly(this.#boundary, takenName(this.id, question));
    return readReply(said);
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
