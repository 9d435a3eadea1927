/**
 * Notices when a call held the process, so that every other call had to wait. A call that does so has a defect: the
 * bounds of its tool do not hold. Nothing on the same thread can end it, so that it is said, with its name.
 */
export interface StallWatch {
  /** To be asked when a tool begins; call what it gives back when the tool has ended. */
  enter(tool: string): () => void;
}

/** Milliseconds: how long a call may hold the process unsaid, and how often the clock is looked at. */
const most = 2_000;
const interval = 500;

/** Keeps nothing running: between calls there is no timer, and the timer of a call lets the process end. */
export function createStallWatch(
  tell: (line: string) => void = (line) => void process.stderr.write(line),
): StallWatch {
  const running = new Set<{ readonly tool: string }>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    const held = now - last;
    last = now;
    if (held < most) return;
    const tools = [...new Set([...running].map(({ tool }) => tool))].join(', ');
    tell(`Everything else had to wait for ${(held / 1_000).toFixed(1)} s while this ran: ${tools}\n`);
  };
  return {
    enter(tool) {
      const call = { tool };
      if (running.size === 0) last = performance.now();
      running.add(call);
      timer ??= setInterval(look, interval).unref();
      return () => {
        look();
        running.delete(call);
        if (running.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
