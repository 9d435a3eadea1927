import type { ToolCall } from './tool.ts';

/** Reports progress often enough for a person, and not oftener. */
export type Ticker = (done: number, message: string) => void;

export function createTicker(
  call: Pick<ToolCall, 'progress'>,
  now: () => number = () => performance.now(),
): Ticker {
  let next = now() + first;
  return (done, message) => {
    if (now() < next) return;
    next = now() + interval;
    call.progress(done, undefined, message);
  };
}

/** Milliseconds until the first report, and between two. */
const first = 50;
const interval = 250;
