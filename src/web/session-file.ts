import { join } from 'node:path';
import { z } from 'zod';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { readJson } from './processes/find-running.ts';
import type { KeptSessions } from './page-sessions.ts';

/** What outlives a server, so that an open page finds the next one on the same port. */
export interface KeptSite {
  /** Below it lies everything of the page. */
  readonly prefix: string;
  readonly sessions: KeptSessions;
}

/** Only digests of cookies and proofs are written: who reads the file can open nothing. */
export async function keepSite(boundary: Boundary, port: number, site: KeptSite): Promise<void> {
  const until = Date.now() + keptFor;
  await boundary.write(nameFor(port), JSON.stringify({ until, ...site }), { mode: 0o600 });
}

/** Half a day. */
const keptFor = 12 * 60 * 60_000;

/** @throws {RootwardError} `SHARED_PLACE`: whoever else can write it would let themselves in */
export async function readKeptSite(
  boundary: Boundary,
  port: number,
  now: number = Date.now(),
): Promise<KeptSite | undefined> {
  const [directory = ''] = boundary.spellings;
  requireOwnPlace(join(directory, nameFor(port)));
  const { success, data } = kept.safeParse(await readJson(boundary, nameFor(port)));
  return success && data.until >= now ? { prefix: data.prefix, sessions: data.sessions } : undefined;
}

const secret = z.string().regex(/^[\w-]{43}$/);
const kept = z.object({
  until: z.number(),
  prefix: secret,
  sessions: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/** Nobody has a page open that could come back. */
export async function forgetSite(boundary: Boundary, port: number): Promise<void> {
  await boundary.remove(nameFor(port)).catch(() => {});
}

/** Removes what servers have left that were killed, and that nobody started again in time. */
export async function sweepSites(boundary: Boundary, now: number = Date.now()): Promise<void> {
  const { entries } = await boundary.list('.');
  for (const { name } of entries) {
    const port = /^port-(\d+)\.sessions$/.exec(name)?.[1];
    if (port === undefined || (await readKeptSite(boundary, Number(port), now)) !== undefined) continue;
    await forgetSite(boundary, Number(port));
  }
}

function nameFor(port: number): string {
  return `port-${port}.sessions`;
}
