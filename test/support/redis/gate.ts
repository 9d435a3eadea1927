/** A gate that a test opens; callers wait at it until then. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly reached: Promise<void>;
  /** To be awaited by who has to wait. */
  wait(): Promise<void>;
  open(): void;
}

export function newGate(): Gate {
  let open: () => void = () => {};
  let reach: () => void = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    passed,
    reached,
    open,
    wait() {
      reach();
      return passed;
    },
  };
}

/** How long something took, and how it ended. */
export async function timed<Result>(
  act: Promise<Result>,
): Promise<{ readonly milliseconds: number; readonly error?: Error; readonly result?: Result }> {
  const begun = performance.now();
  try {
    return { result: await act, milliseconds: performance.now() - begun };
  } catch (error) {
    return { error: error as Error, milliseconds: performance.now() - begun };
  }
}
