// The attacker: a process of its own that repeats a cycle of renames and links as fast as it can, until it is
// told to stop. Plain JavaScript, so that it runs without being compiled.
//
//   fork('swapper.mjs', [directory, '[["rename", "victim", "parked"], …]'])
//
// Sends `running` after the first cycles; on any message it ends after a whole cycle and sends their number.
import { linkSync, renameSync } from 'node:fs';

const [directory = '', cycle = ''] = process.argv.slice(2);
const calls = { rename: renameSync, link: linkSync };
const steps = JSON.parse(cycle).map(
  ([call, from, to]) =>
    () =>
      calls[call](from, to),
);
/** Between two looks at the messages. */
const cyclesPerTurn = 64;

let cycles = 0;
let running = true;

process.chdir(directory);
process.on('message', () => {
  running = false;
});
process.on('disconnect', () => {
  running = false;
});

function turn() {
  for (let count = 0; count < cyclesPerTurn; count += 1) for (const step of steps) step();
  if (cycles === 0) process.send('running');
  cycles += cyclesPerTurn;
  if (running) setImmediate(turn);
  else if (process.connected) process.send(cycles, () => process.disconnect());
}

turn();
