import { Turns } from '../../base/turns.ts';
import type { TextQuery } from './text-query.ts';

/** Looks for a pattern in texts that it is given one after the other, as if they were one. */
export interface PatternMatcher extends AsyncDisposable {
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
export type StartMatcher = (options: MatcherOptions) => PatternMatcher;

/** The text that a query looks for, if it looks for nothing else; `undefined` where more is meant. */
export function plainPattern({ pattern, literal, ignoreCase, wholeWord }: TextQuery): string | undefined {
  if (ignoreCase || wholeWord || pattern === '') return undefined;
  const isPlain = literal ? !/[\r\n]/.test(pattern) : /^[\p{L}\p{N} _"'%,/:;<=>@`~!&#-]+$/u.test(pattern);
  return isPlain ? pattern : undefined;
}

/** Looks for plain text itself: that takes less time than to start a program. */
export function startPlain(text: string, { onMatch, milliseconds, signal }: MatcherOptions): PatternMatcher {
  const needle = Buffer.from(text);
  const deadline = performance.now() + milliseconds;
  let written = 0;
  let isOver = false;
  let isEnough = false;
  return {
    async write(texts) {
      const turns = new Turns(signal);
      for (let at = texts.indexOf(needle); at !== -1 && !isOver && !isEnough;) {
        isEnough = onMatch(written + at);
        // A line has one match.
        at = texts.indexOf(needle, texts.indexOf(newline, at) + 1);
        if (!turns.isOver) continue;
        await turns.next();
        isOver = performance.now() > deadline;
      }
      written += texts.length;
    },
    end: () => Promise.resolve(!isOver),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const newline = 0x0a;
