import { isMainThread, Worker } from 'node:worker_threads';

/** A thread that interrupts code that blocks the main thread. It sleeps while there is nothing to watch. */
export interface StallThread {
  /** From now on the main thread must call `beat` regularly. */
  watch(): void;
  /** Stops watching until the next `watch`. */
  rest(): void;
  /** Shows that the event loop turns. */
  beat(): void;
  /** The number of interruptions so far; `undefined` while one is in progress. */
  ended(): number | undefined;
  close(): void;
}

/** The cells of the shared memory. */
const cells = { isWatched: 0, beats: 1, ended: 2, isEnding: 3, isAsleep: 4 } as const;

/** Milliseconds between two checks, and the share of processor time from which a thread counts as busy. */
const tick = 100;
const busy = 0.25;

/**
 * Starts the thread. It interrupts the code on the main thread when the event loop did not turn for
 * `milliseconds` of the thread's own time and the main thread was computing. The interrupted function never
 * settles: neither its `catch` nor its `finally` runs, and promise reactions due in the same turn of the loop
 * are lost with it.
 *
 * Not interrupted: a main thread that waits in the kernel, a suspended process, a process under a debugger,
 * and code in a callback of a timer, an event or the like, where Node would not survive it; async functions
 * are not affected. Linux reports the processor time of the main thread; elsewhere that of the whole process
 * is used.
 *
 * Returns `undefined` where interruption is impossible: not on the main thread, without Node's inspector, or
 * with its permission model. Before Node 20.16 the thread interrupts nothing.
 */
export function startStallThread(milliseconds: number): StallThread | undefined {
  if (!isMainThread || !process.features.inspector || 'permission' in process) return undefined;
  const shared = new Int32Array(new SharedArrayBuffer(Object.keys(cells).length * 4));
  const workerData = { shared, cells, tick, busy, ticks: Math.ceil(milliseconds / tick), end: endHere };
  const thread = new Worker(source, { eval: true, env: {}, execArgv: [], workerData, resourceLimits });
  // Without the thread, a stall is still reported.
  thread.on('error', () => undefined).unref();
  const beat = (): void => void Atomics.add(shared, cells.beats, 1);
  return {
    watch() {
      beat();
      Atomics.store(shared, cells.isWatched, 1);
      if (Atomics.load(shared, cells.isAsleep) === 1) Atomics.notify(shared, cells.isWatched);
    },
    rest: () => void Atomics.store(shared, cells.isWatched, 0),
    beat,
    ended: () => (Atomics.load(shared, cells.isEnding) === 1 ? undefined : Atomics.load(shared, cells.ended)),
    close: () => void thread.terminate(),
  };
}

const resourceLimits = {
  maxOldGenerationSizeMb: 8,
  maxYoungGenerationSizeMb: 1,
  codeRangeSizeMb: 1,
  stackSizeMb: 1,
};

/**
 * Runs on the main thread on top of the blocking code, so that nothing can change between check and
 * interruption. Node keeps a stack of asynchronous contexts and aborts the process if one is left midway;
 * promise reactions run outside of them. The first three lines of the trace are its heading and this code.
 */
const endHere = `(() => {
  const { executionAsyncId } = process.getBuiltinModule('node:async_hooks');
  const { Session, url } = process.getBuiltinModule('node:inspector');
  const isIdle = new Error().stack.split('\\n').length <= 3;
  if (Date.now() > latest || isIdle || executionAsyncId() !== 0 || url() !== undefined) return false;
  const session = new Session();
  session.connect();
  setImmediate(() => session.disconnect());
  session.post('Runtime.terminateExecution');
  return true;
})()`;

/** As text, because a bundle has no file for a thread to start from. */
const source = `
const { readFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { workerData: { shared, cells, tick, busy, ticks, end } } = require('node:worker_threads');
const read = (cell) => Atomics.load(shared, cell);

// Milliseconds. In the file of a thread, the 14th and the 15th field are hundredths of a second.
const processorTime = () => {
  try {
    const stat = readFileSync('/proc/self/task/' + process.pid + '/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
};

// A main thread that does not answer soon has gone on to something else by the time at which it does.
const endMain = () => new Promise((resolve) => {
  Atomics.store(shared, cells.isEnding, 1);
  const session = new Session();
  const done = (error, answer) => {
    clearTimeout(timer);
    session.disconnect();
    if (answer?.result?.value === true) Atomics.add(shared, cells.ended, 1);
    Atomics.store(shared, cells.isEnding, 0);
    resolve();
  };
  const timer = setTimeout(done, 10000);
  session.connectToMainThread();
  const expression = end.replace('latest', Date.now() + tick);
  session.post('Runtime.evaluate', { expression, silent: true }, done);
});

// Sleeps until there is something to watch.
const sleep = () => {
  Atomics.store(shared, cells.isAsleep, 1);
  Atomics.wait(shared, cells.isWatched, 0);
  Atomics.store(shared, cells.isAsleep, 0);
};

// Whether the main thread held everything up for all the ticks. In a long one this thread was held up, too.
const isStalled = () => {
  const beats = read(cells.beats);
  const before = processorTime();
  for (let count = 0; count < ticks; ) {
    const began = performance.now();
    Atomics.wait(shared, cells.isAsleep, 0, tick);
    if (read(cells.beats) !== beats) return false;
    if (performance.now() - began < tick * 3) count += 1;
  }
  return read(cells.isWatched) === 1 && processorTime() - before >= ticks * tick * busy;
};

(async () => {
  for (;;) {
    sleep();
    if (isStalled()) await endMain();
  }
})();
`;
