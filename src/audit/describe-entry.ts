import { quote } from '../quote.ts';
import type { AuditEntry } from './entry.ts';

/**
 * An entry as one line for a person. Nothing in it can move the cursor or begin another line.
 *
 * @example
 * ```ts
 * describeEntry({
 *   time: '2025-06-01T12:00:00.000Z', operation: 'write', path: '.env', root: 'app', verdict: 'deny',
 *   rule: 'deny:.env', reason: 'it holds secrets', outcome: 'refused', code: 'DENIED', duration: 0.1, revision: 1,
 * }) // → '2025-06-01T12:00:00.000Z deny write ".env" in "app": it holds secrets (deny:.env, refused DENIED, 0.1 ms)'
 * ```
 */
export function describeEntry(entry: AuditEntry): string {
  const { time, caller, event, operation, path, root, verdict, rule, reason, outcome, code, duration } =
    entry;
  const where = root === undefined ? '' : ` in ${quote(root)}`;
  const who = caller === undefined ? '' : ` for ${quote(caller)}`;
  const why = reason === undefined ? '' : `: ${bare(reason)}`;
  const end = code === undefined ? outcome : `${outcome} ${bare(code)}`;
  const took = `${Math.round(duration * 1_000) / 1_000} ms`;
  return `${time} ${verdict} ${event ?? operation} ${quote(path)}${where}${who}${why} (${bare(rule)}, ${end}, ${took})`;
}

/** Our own words, or nearly: escaped all the same, without the quotes. */
function bare(text: string): string {
  return quote(text).slice(1, -1).replaceAll('\\"', '"');
}
