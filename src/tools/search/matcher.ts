import { Turns } from '../../base/turns.ts';
import type { TextQuery } from './text-query.ts';

/** Searches texts for a pattern, one after the other, as if they were one text. */
export interface PatternMatcher extends AsyncDisposable {
  /** Takes texts that end with a newline. Waits while too much is pending. */
  write(texts: Buffer): Promise<void>;
  /**
   * Waits until everything was searched. Resolves to `false` if that took too long.
   *
   * @throws {RootwardError} `INVALID_PATTERN`
   */
  end(): Promise<boolean>;
}

export interface MatcherOptions {
  /**
   * Called for every matching line in order, with the byte offset of its first match. Returns `true` if that is enough.
   */
  readonly onMatch: (place: number) => boolean;
  /** Time limit. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Starts a matcher for a fixed query. */
export type StartMatcher = (options: MatcherOptions) => PatternMatcher;

/** Returns the literal text of a query; `undefined` if it is not just that. */
export function plainPattern({ pattern, literal, ignoreCase, wholeWord }: TextQuery): string | undefined {
  if (ignoreCase || wholeWord || pattern === '') return undefined;
  const isPlain = literal ? !/[\r\n]/.test(pattern) : /^[\p{L}\p{N} _"'%,/:;<=>@`~!&#-]+$/u.test(pattern);
  return isPlain ? pattern : undefined;
}

/** Searches for plain text in this process, which is faster than starting a program. */
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
        // Each line has one match.
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
