/**
 * Runs something that makes errors which nobody will read. An SDK makes one whenever a connection closes, for
 * whoever still waits; where nobody does, to find the way to it takes longer than all the rest of closing.
 */
export function withoutStacks(act: () => void): void {
  const { stackTraceLimit } = Error;
  setLimit(0);
  try {
    act();
  } finally {
    setLimit(stackTraceLimit);
  }
}

/** Where nobody may set it, errors are as expensive as ever. */
function setLimit(limit: number): void {
  Reflect.set(Error, 'stackTraceLimit', limit);
}
