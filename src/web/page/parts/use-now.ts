import { useEffect, useState } from 'preact/hooks';

/** How often what says "ago" is said anew. Milliseconds. */
const tick = 5_000;

/** The time, which goes on. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, []);
  // What came since the last tick is not in the future.
  return Math.max(now, Date.now());
}
