import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { type FilesPart, type PartRequest, readPart, textIn } from './read-part.ts';

/** A part for a thread, which shares the handles of the process. */
export interface ThreadRequest extends PartRequest {
  /** The directory in which the system lists the handles of this process. */
  readonly handles: string;
  /** Flags of `open`. */
  readonly flags: number;
}

/** Threads that read files. They start with the first request and end after a while without any. */
export interface TextReaders {
  /** How many parts should be in progress. */
  readonly width: number;
  read(request: ThreadRequest): Promise<FilesPart>;
  close(): Promise<void>;
}

/** Milliseconds after which idle threads end. */
const idle = 10_000;

/**
 * Creates one thread more than there are processors, because each waits for the disk; more than four gain
 * nothing.
 */
export function createTextReaders(width: number = Math.min(availableParallelism() + 1, 4)): TextReaders {
  let started: Promise<readonly Reader[]> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const close = async (): Promise<void> => {
    const leaving = started;
    started = undefined;
    await Promise.all((await leaving)?.map((reader) => reader.close()) ?? []);
  };
  return {
    width,
    close,
    async read(request) {
      clearTimeout(timer);
      started ??= startReaders(width);
      const readers = await started;
      const [first, ...others] = readers;
      if (first === undefined) throw new TypeError('there are no readers');
      const free = others.reduce((one, other) => (other.waiting < one.waiting ? other : one), first);
      try {
        return await free.read(request);
      } catch (error) {
        // The next request starts new threads.
        void close();
        throw error;
      } finally {
        if (readers.every(({ waiting }) => waiting === 0)) {
          clearTimeout(timer);
          timer = setTimeout(() => void close(), idle).unref();
        }
      }
    },
  };
}

async function startReaders(width: number): Promise<readonly Reader[]> {
  const { Worker: Thread } = await import('node:worker_threads');
  // The walking thread owns the handles and closes them.
  return Array.from(
    { length: width },
    () => new Reader(new Thread(source, { eval: true, env: {}, trackUnmanagedFds: false, resourceLimits })),
  );
}

/** In megabytes. A thread keeps its texts outside of its heap. */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/** As text, because a bundle has no file for a thread to start from. */
const source = `
const fs = require('node:fs');
const { parentPort } = require('node:worker_threads');
const scratch = { bytes: Buffer.allocUnsafeSlow(1024 * 1024) };
const textIn = ${textIn.toString()};
const readPart = ${readPart.toString()};
parentPort.on('message', (request) => {
  const open = ({ fd }, name) => fs.openSync(request.handles + '/' + fd + '/' + name, request.flags);
  const part = readPart({ fs, open, textIn, scratch }, request);
  parentPort.postMessage(part, [part.bytes]);
});
`;

interface WaitingPart {
  readonly resolve: (part: FilesPart) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread. It answers in order, and keeps the process alive only while a request is pending. */
class Reader {
  readonly #thread: Worker;
  readonly #waiting: WaitingPart[] = [];
  #failure: Error | undefined;

  constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (part: FilesPart) => this.#settle((waiting) => waiting.resolve(part)));
    thread.on('error', (error) => this.#fail(error));
    thread.on('exit', () => this.#fail(new Error('the thread that reads files has ended')));
    // After the listeners: adding a message listener refs the thread again.
    thread.unref();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  read(request: ThreadRequest): Promise<FilesPart> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#thread.postMessage(request, []);
    });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #settle(answer: (waiting: WaitingPart) => void): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#thread.unref();
    if (waiting !== undefined) answer(waiting);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    while (this.#waiting.length > 0) this.#settle((waiting) => waiting.reject(error));
  }
}
