import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { readJson } from './processes/find-running.ts';

/** The secrets that a browser gets in exchange for a link. */
export interface PageEntry {
  /** For the browser, which sends it with every request; no script can read it. */
  readonly cookie: string;
  /** For the window: its script sends it, and no browser sends it by itself. */
  readonly proof: string;
}

/** Digests: each cookie with the proofs of its windows. */
export type KeptSessions = readonly (readonly [cookie: string, proofs: readonly string[]])[];

/** The browsers that entered with a link and may come back. */
export interface PageSessions {
  /** Makes the secret of one link, which opens one window once. */
  newToken(): string;
  /**
   * Exchanges the secret of a link; `undefined` if it was used before or never issued. A browser that has a session
   * keeps its cookie, so that its other windows go on.
   */
  redeem(token: string, cookie?: string): PageEntry | undefined;
  /** Whether this is the secret of a link that was already used. */
  wasUsed(token: string): boolean;
  knows(cookie: string | undefined): boolean;
  /** Tells whether a window of this browser has this proof. A cookie alone is never enough. */
  proves(cookie: string | undefined, proof: string | undefined): boolean;
  /** The digests, to be saved for the next server on this port. */
  kept(): KeptSessions;
}

/** Limit of sessions, and of windows in each. Beyond it the oldest one is dropped. */
const mostSessions = 64;
/** Limit of links that have not been used. */
const mostTokens = 16;

/** Stores digests only, which sign no browser in. */
export function createPageSessions(known: KeptSessions = []): PageSessions {
  const tokens = new Set<string>();
  const used = new Set<string>();
  const sessions = new Map(
    known.slice(-mostSessions).map(([cookie, proofs]) => [cookie, new Set(proofs)] as const),
  );
  const proofsOf = (cookie: string | undefined): Set<string> | undefined =>
    cookie === undefined ? undefined : sessions.get(digestOf(cookie));
  return {
    newToken() {
      const token = newSecret();
      tokens.add(digestOf(token));
      dropOldest(tokens, mostTokens);
      return token;
    },
    redeem(token, before) {
      if (!tokens.delete(digestOf(token))) return undefined;
      used.add(digestOf(token));
      dropOldest(used, mostTokens);
      const own = proofsOf(before);
      const cookie = own === undefined || before === undefined ? newSecret() : before;
      const proof = newSecret();
      const proofs = own ?? new Set<string>();
      proofs.add(digestOf(proof));
      dropOldest(proofs, mostSessions);
      sessions.set(digestOf(cookie), proofs);
      dropOldest(sessions, mostSessions);
      return { cookie, proof };
    },
    wasUsed: (token) => used.has(digestOf(token)),
    knows: (cookie) => proofsOf(cookie) !== undefined,
    proves: (cookie, proof) => proof !== undefined && proofsOf(cookie)?.has(digestOf(proof)) === true,
    kept: () => [...sessions].map(([cookie, proofs]) => [cookie, [...proofs]] as const),
  };
}

/** Compares in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}

/** Creates a secret of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

interface OrderedSessions {
  readonly size: number;
  keys(): Iterable<string>;
  delete(digest: string): boolean;
}

function dropOldest(digests: OrderedSessions, most: number): void {
  for (const digest of digests.keys()) {
    if (digests.size <= most) return;
    digests.delete(digest);
  }
}

/** The state that survives a restart, so that an open page reconnects to the next server on the same port. */
export interface KeptSite {
  /** The secret path prefix of the page. */
  readonly prefix: string;
  readonly sessions: KeptSessions;
}

/** Saves the state. It holds digests only, so reading the file gives no access. */
export async function keepSite(boundary: Boundary, port: number, site: KeptSite): Promise<void> {
  const until = Date.now() + keptFor;
  await boundary.write(nameFor(port), JSON.stringify({ until, ...site }), { mode: 0o600 });
}

/** Half a day. */
const keptFor = 12 * 60 * 60_000;

/** @throws {RootwardError} `SHARED_PLACE`, because another user who can write the file could sign in */
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

/** Removes the saved state, when no open page could reconnect. */
export async function forgetSite(boundary: Boundary, port: number): Promise<void> {
  await boundary.remove(nameFor(port)).catch(() => {});
}

/** Removes the saved state of servers that were killed and not restarted in time. */
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
