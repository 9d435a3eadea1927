export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Says yes `burst` times at once, and `perSecond` times a second from then on. */
export function createTokenBucket({
  perSecond,
  burst,
  now = () => performance.now(),
}: BucketOptions): () => boolean {
  let left = burst;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(burst, left + ((time - last) / 1_000) * perSecond);
    last = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
