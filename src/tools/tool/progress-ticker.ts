import type { ToolCall } from './tool.ts';

/** Reports progress often enough for a person, and not oftener. */
export type Ticker = (done: number, message: string) => void;

export function createTicker(
  call: Pick<ToolCall, 'progress'>,
  now: () => number = () => performance.now(),
): Ticker {
  let next = now() + first;
  let last = -1;
  return (done, message) => {
    if (now() < next) return;
    next = now() + interval;
    // The protocol wants more each time, also where work on something else begins.
    last = Math.max(done, last + 1);
    call.progress(last, undefined, message);
  };
}

/** Milliseconds until the first report, and between two. */
const first = 50;
const interval = 250;
