import type { Boundary } from '../boundary/boundary.ts';
import { readJson } from './find-running.ts';

/**
 * Cookies outlive a restart of the server on the same port, so that an open page finds it again. Only digests are
 * written: who reads the file can open nothing.
 */
export async function writeDigests(
  boundary: Boundary,
  port: number,
  digests: readonly string[],
): Promise<void> {
  const until = Date.now() + keptFor;
  await boundary.write(nameFor(port), JSON.stringify({ until, digests }), { mode: 0o600 });
}

/** Half a day. */
const keptFor = 12 * 60 * 60_000;

export async function readDigests(
  boundary: Boundary,
  port: number,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const { until, digests } = ((await readJson(boundary, nameFor(port))) ?? {}) as Record<string, unknown>;
  if (typeof until !== 'number' || until < now || !Array.isArray(digests)) return [];
  return digests.filter((digest) => typeof digest === 'string');
}

function nameFor(port: number): string {
  return `port-${port}.sessions`;
}
