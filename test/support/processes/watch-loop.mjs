// Loaded into a server before anything else (`--import`): says in a file how long its loop was held. Holding is measured
// as the lesser of clock time and processor time between two ticks, so that a busy machine is not taken for a busy loop.
import { appendFileSync } from 'node:fs';

const file = process.env.WATCH_LOOP_FILE;
const interval = 20;
let [clock, used] = [performance.now(), process.cpuUsage()];

setInterval(() => {
  const { user, system } = process.cpuUsage(used);
  const held = Math.min(performance.now() - clock - interval, (user + system) / 1_000);
  if (held > 100) appendFileSync(file, `${Math.round(held)}\n`);
  [clock, used] = [performance.now(), process.cpuUsage()];
}, interval).unref();
