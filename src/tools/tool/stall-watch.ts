import type { StallThread } from '../../boundary/process/stall-thread.ts';
import { RootwardError } from '../../errors.ts';

/**
 * Detects calls that block the process, so that all others have to wait. That is a defect: the limits of the tool do
 * not hold. With a thread such a call is ended and refused; without one it is only reported on stderr.
 */
export interface StallWatch {
  /** Called when a tool starts. */
  enter(tool: string): WatchedCall;
  close(): void;
}

export interface WatchedCall {
  /**
   * Runs a part of the call; the first part is the whole call. An ended part never settles, so it is refused here,
   * from the inside out: the effects of the part are recorded before the call is answered.
   *
   * @throws {RootwardError} `TOO_MUCH_WORK`, and the errors of `act`
   */
  run<Result>(act: () => Result | Promise<Result>): Promise<Result>;
  /** Called when the tool has ended. */
  leave(): void;
}

export interface StallWatchOptions {
  readonly report?: (line: string) => void;
  /** Starts the thread with the first call; without it nothing is ended. */
  readonly startThread?: (milliseconds: number) => StallThread | undefined;
}

/** Milliseconds: how long a call may block the process, and how often that is checked. */
const most = 2_000;
const interval = 200;

/** Milliseconds that concurrent calls have to end by themselves, and that a refused one has to clean up. */
const patience = { beside: 5_000, cleanup: 1_000 } as const;

/** Does not keep the process alive: the timer is unreferenced, and stops when no call runs. */
export function createStallWatch({
  report = writeToStderr,
  startThread,
}: StallWatchOptions = {}): StallWatch {
  const running = new Set<Running>();
  /** Calls of which one was ended. It is identified when the others end by themselves. */
  const suspects = new Set<Running>();
  let last = 0;
  let ended = 0;
  let timer: NodeJS.Timeout | undefined;
  let thread: StallThread | undefined;
  let start = startThread;
  const narrow = (): void => {
    const [only, ...others] = suspects;
    if (others.length === 0) only?.refuse();
  };
  const refuseEnded = (held: number, endings: number): void => {
    ended = endings;
    const stopped = [...running].filter((call) => call.endings < endings);
    report(`${describe(held, stopped)}. ${advice}\n`);
    for (const call of stopped) suspects.add(call);
    narrow();
    setTimeout(() => {
      for (const call of stopped) if (suspects.has(call)) call.refuse();
    }, patience.beside).unref();
  };
  const look = (): void => {
    thread?.beat();
    const endings = thread === undefined ? 0 : thread.ended();
    if (endings === undefined) return;
    const now = performance.now();
    const held = now - last;
    last = now;
    if (endings > ended) refuseEnded(held, endings);
    else if (held >= most) report(`${describe(held, [...running])}\n`);
  };
  const tick = (): void => {
    look();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    enter(tool) {
      if (running.size === 0) {
        last = performance.now();
        thread ??= start?.(most);
        start = undefined;
        thread?.watch();
      }
      const call = new Running(tool, thread?.ended() ?? ended, () => {
        look();
        running.delete(call);
        if (suspects.delete(call)) narrow();
        if (running.size === 0) thread?.rest();
      });
      running.add(call);
      timer ??= setInterval(tick, interval).unref();
      return call;
    },
    close() {
      thread?.close();
      thread = undefined;
    },
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

function describe(held: number, calls: readonly Running[]): string {
  const tools = [...new Set(calls.map(({ tool }) => tool))].join(', ') || 'no tool';
  return `Everything else had to wait for ${(held / 1_000).toFixed(1)} s while this ran: ${tools}`;
}

const advice = 'It was ended. This is a defect: report it, and restart the server if anything seems stuck';

class Running implements WatchedCall {
  readonly tool: string;
  /** Number of endings before this call began. */
  readonly endings: number;
  readonly leave: () => void;
  readonly #parts = new Set<(error: RootwardError) => void>();

  constructor(tool: string, endings: number, leave: () => void) {
    this.tool = tool;
    this.endings = endings;
    this.leave = leave;
  }

  run<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#parts.add(reject);
      const settle =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          this.#parts.delete(reject);
          settle(value);
        };
      // All promises are linked before the act begins, because an ending drops pending jobs.
      new Promise<void>((begin) => {
        process.nextTick(begin);
      })
        .then(act)
        .then(settle(resolve), settle(reject));
    });
  }

  refuse(): void {
    const error = new RootwardError('TOO_MUCH_WORK', { verb: 'run', path: this.tool, remedy });
    const [whole, ...parts] = this.#parts;
    for (const refusePart of parts) refusePart(error);
    if (parts.length === 0) whole?.(error);
    else setTimeout(() => whole?.(error), patience.cleanup).unref();
  }
}

const remedy =
  'It was ended because nothing else could run. It may be half done: look at what is there, then ask for less at once';
