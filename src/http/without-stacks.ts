/**
 * Runs something that makes errors which nobody will read. An SDK makes one whenever a connection closes, for
 * whoever still waits; where nobody does, to find the way to it takes longer than all the rest of closing.
 */
export function withoutStacks(act: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    act();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
