// Loaded into a server before anything else (`--import`): says in a file how long its loop was held. Holding is measured
// as the lesser of clock time and processor time of the main thread between two ticks, so that a busy machine, or a busy
// thread pool, is not taken for a busy loop.
import { appendFileSync, readFileSync } from 'node:fs';

const file = process.env.WATCH_LOOP_FILE;
const interval = 20;

/** Milliseconds of processor time. Linux counts them per thread; elsewhere the whole process has to do. */
function processorTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1);
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

let [clock, used] = [performance.now(), processorTime()];

setInterval(() => {
  const held = Math.min(performance.now() - clock - interval, processorTime() - used);
  if (held > 100) appendFileSync(file, `${Math.round(held)}\n`);
  [clock, used] = [performance.now(), processorTime()];
}, interval).unref();
