import { once } from 'node:events';
import { type RunningProgram, type ProgramEnd, startProgram } from '../../boundary/process/program.ts';
import { RootwardError } from '../../errors.ts';
import type { PatternMatcher, MatcherOptions } from './matcher.ts';
import { findFault, ripgrepArgs } from './ripgrep-args.ts';
import type { TextQuery } from './text-query.ts';

/** Starts ripgrep on texts that it gets as input: it opens no files. */
export function startRipgrep(file: string, query: TextQuery, options: MatcherOptions): PatternMatcher {
  const { onMatch, milliseconds, signal } = options;
  const fault = findFault(query);
  if (fault !== undefined) throw invalid(query, fault);
  const program = startProgram({ file, args: ripgrepArgs(query), milliseconds, signal });
  const reading = readPlaces(program, onMatch);
  reading.catch(() => undefined);
  return {
    async write(texts) {
      if (program.stdin.destroyed || program.stdin.write(texts)) return;
      // A program that ends before it has read everything reports the reason at its end.
      await Promise.race([once(program.stdin, 'drain').catch(() => undefined), program.ended]);
    },
    async end() {
      program.stdin.end();
      const isEnough = await reading;
      if (isEnough) await program.close();
      const ended = await program.ended;
      signal.throwIfAborted();
      if (!isEnough) requireEnd(query, ended);
      return isEnough || ended.stopped === undefined;
    },
    [Symbol.asyncDispose]: () => program.close(),
  };
}

/** Reads rows of a number and a colon. Resolves to `true` if it stopped because there are enough. */
async function readPlaces({ stdout }: RunningProgram, onMatch: (place: number) => boolean): Promise<boolean> {
  let place = 0;
  let isNumber = true;
  const isEnough = (byte: number): boolean => {
    if (byte === newline) {
      const matched = place;
      [place, isNumber] = [0, true];
      return onMatch(matched);
    }
    if (byte === colon) isNumber = false;
    else if (isNumber) place = place * 10 + byte - zero;
    return false;
  };
  for await (const chunk of stdout as AsyncIterable<Buffer>) if (chunk.some(isEnough)) return true;
  return false;
}

const [newline, colon, zero] = [0x0a, 0x3a, 0x30];

/**
 * Ripgrep ends with 0 if something matches, with 1 if nothing does, and with 2 for a pattern that it refuses. Otherwise it
 * has not read everything.
 */
function requireEnd(query: TextQuery, { code, stopped, stderr }: ProgramEnd): void {
  if (code === 2) throw invalid(query, reasonIn(stderr));
  if (stopped !== undefined || code === 0 || code === 1) return;
  const reason = code === undefined ? 'ripgrep was killed' : `ripgrep ended with code ${code}`;
  throw new RootwardError('SEARCH_FAILED', { reason });
}

function invalid({ pattern }: TextQuery, reason: string): RootwardError<'INVALID_PATTERN'> {
  return new RootwardError('INVALID_PATTERN', { pattern, reason });
}

/** The line that begins with `error: ` says what is wrong; otherwise the last one does. Others point at the position. */
function reasonIn(stderr: string): string {
  if (stderr.includes('is not allowed in a regex'))
    return 'it has a newline, and each line is searched alone';
  const lines = stderr.trim().split('\n');
  const line = lines.findLast((each) => each.startsWith('error: ')) ?? lines.at(-1) ?? '';
  return line.replace(/^(?:rg: |error: |regex parse error:)*/, '').trim() || 'ripgrep does not accept it';
}
