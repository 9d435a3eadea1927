/** Looks for a pattern in texts that it is given one after the other, as if they were one. */
export interface Matcher extends AsyncDisposable {
  /** Every text ends with a newline. Waits while too much is to be looked at. */
  write(texts: Buffer): Promise<void>;
  /**
   * Waits until everything was looked at. `false` if that took too long.
   *
   * @throws {RootwardError} `INVALID_PATTERN`
   */
  end(): Promise<boolean>;
}

export interface MatcherOptions {
  /** Told of every line that matches, in order: the byte where its first match begins. `true` if that is enough. */
  readonly onMatch: (place: number) => boolean;
  /** How long it may take. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Starts a matcher for a query that it knows. */
export type StartMatcher = (options: MatcherOptions) => Matcher;
