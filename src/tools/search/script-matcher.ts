import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { RootwardError } from '../../errors.ts';
import type { PatternMatcher, MatcherOptions } from './matcher.ts';
import { toScriptPattern } from './script-pattern.ts';
import type { TextQuery } from './text-query.ts';

/** Time limit for one write, far more than a sane pattern needs. Milliseconds. */
const patience = 2_000;

/**
 * Searches with JavaScript expressions, if there is no ripgrep. They can take for ever, so they run in a thread that is
 * terminated at its time limit, and the pattern is refused.
 *
 * @throws {RootwardError} `INVALID_PATTERN`
 */
export function startScript(
  query: TextQuery,
  { onMatch, milliseconds, signal }: MatcherOptions,
): PatternMatcher {
  const workerData = { expression: compile(query) };
  const resourceLimits = { maxOldGenerationSizeMb: 64 };
  const thread = new Worker(source, { eval: true, env: {}, workerData, resourceLimits });
  const deadline = performance.now() + milliseconds;
  let written = 0;
  let isOver = false;
  let isEnough = false;
  return {
    async write(texts) {
      if (isOver || isEnough) return;
      const left = deadline - performance.now();
      const places = await ask(thread, texts, { milliseconds: Math.min(patience, left), signal });
      if (places === 'late' && left > patience) throw invalid(query, 'it takes too long on this text');
      isOver = places === 'late';
      isEnough = places !== 'late' && places.some((place) => onMatch(written + place));
      written += texts.length;
    },
    end: () => Promise.resolve(!isOver),
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}

const source = `
const { parentPort, workerData: { expression } } = require('node:worker_threads');
parentPort.on('message', (message) => {
  const texts = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const places = [];
  for (let start = 0, end; start < texts.length; start = end + 1) {
    end = texts.indexOf(10, start);
    const line = texts.toString('utf8', start, end);
    const at = line.search(expression);
    // Bytes that are not UTF-8 are longer in the line than in the text.
    if (at !== -1) places.push(Math.min(start + Buffer.byteLength(line.slice(0, at)), end));
  }
  parentPort.postMessage(places);
});
`;

/** Returns the answer of the thread; `late` if it takes too long. */
async function ask(
  thread: Worker,
  texts: Buffer,
  { milliseconds, signal }: Pick<MatcherOptions, 'milliseconds' | 'signal'>,
): Promise<readonly number[] | 'late'> {
  const timer = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
  thread.postMessage(texts, []);
  try {
    const [places] = await once(thread, 'message', { signal: AbortSignal.any([timer, signal]) });
    return places as readonly number[];
  } catch (error) {
    signal.throwIfAborted();
    if (timer.aborted) return 'late';
    throw error;
  }
}

function compile(query: TextQuery): RegExp {
  const expression = toScriptPattern(query);
  if (typeof expression === 'string') throw invalid(query, expression);
  return expression;
}

function invalid({ pattern }: TextQuery, reason: string): RootwardError<'INVALID_PATTERN'> {
  return new RootwardError('INVALID_PATTERN', { pattern, reason });
}
