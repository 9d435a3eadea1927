import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { quote } from '../base/quote.ts';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import type { SealingKey } from '../http/exchange/request-state.ts';
import type { HttpEvent } from '../http/exchange/endpoint.ts';
import { createMeters } from '../http/exchange/telemetry.ts';
import type { SessionStore } from '../sessions/record/session-store.ts';
import type { TerminalStream } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

export interface SessionParts {
  readonly settings: Pick<ServeSettings, 'sessions' | 'sessionsPassword' | 'sessionsPrefix'>;
  readonly keys: readonly SealingKey[];
  readonly record: (event: HttpEvent) => void;
}

/**
 * Opens the session store, unless sessions are kept in this process.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, `SESSIONS_UNAVAILABLE`
 */
export async function openSessions({
  settings,
  keys,
  record,
}: SessionParts): Promise<SessionStore | undefined> {
  const { sessions: address, sessionsPassword: password, sessionsPrefix: prefix } = settings;
  if (address === undefined) return undefined;
  if (keys.length === 0) {
    const reason =
      'nodes that share sessions share a key: give --sealing-key-file, or ROOTWARD_SEALING_KEY with the output of openssl rand -base64 32';
    throw new RootwardError('INVALID_CONFIG', { where: '--sessions', reason });
  }
  // Loaded on demand: a single server does not need it.
  const { openRedisStore } = await import('../sessions/redis/redis-store.ts');
  const meters = createMeters();
  return openRedisStore({
    address,
    password,
    prefix,
    secrets: keys.map(({ secret }) => secret),
    forged: () => {
      meters.countEvent('forged-answer');
      record({ kind: 'forged-answer' });
    },
    observe: (command) => meters.countCommand(command),
  });
}

type SealingSettings = Pick<ServeSettings, 'sealingKey' | 'sealingKeyFile'>;

/** Minimum length of a key; 32 random bytes in base64 are 44 characters. */
const shortest = 32;

/**
 * Reads the keys that nodes share: one per line of a file, or separated by commas in the environment. The first
 * one seals and each of them opens, so that keys can be rotated without failing calls.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readSealingKeys(
  { sealingKey, sealingKeyFile }: SealingSettings,
  stderr: TerminalStream = silent,
): Promise<readonly SealingKey[]> {
  const where = sealingKeyFile === undefined ? 'ROOTWARD_SEALING_KEY' : '--sealing-key-file';
  const text = sealingKeyFile === undefined ? (sealingKey ?? '') : await readKeys(sealingKeyFile, stderr);
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  if (sealingKeyFile !== undefined && keys.length === 0) throw invalid(where, 'there is no key in it');
  if (keys.some(({ length }) => length < shortest))
    throw invalid(where, `a key has fewer than ${shortest} characters`);
  if (keys.length > 2) throw invalid(where, 'it holds more than two keys');
  return keys.map(toKey);
}

const silent: TerminalStream = { write: () => {} };

/** Derives a key whose name reveals nothing about it. */
function toKey(text: string): SealingKey {
  const secret = createHash('sha256').update('rootward sealing key\0').update(text).digest();
  const id = createHash('sha256').update('name\0').update(secret).digest('base64url').slice(0, 8);
  return { id, secret };
}

async function readKeys(file: string, stderr: TerminalStream): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    await refuseShared(boundary, file, { where: '--sealing-key-file', stderr });
    return await boundary.readText(basename(file), { limit: 4_096 });
  } catch (error) {
    if (!RootwardError.is(error) || error.code === 'INVALID_CONFIG') throw error;
    throw invalid('--sealing-key-file', `no key can be read from ${quote(file)}: ${error.message}`, error);
  }
}

function invalid(where: string, reason: string, cause?: unknown): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where, reason }, { cause });
}

export interface ServeToken {
  readonly token: string;
  /** Whether it was generated, so that no client knows it yet. */
  readonly made: boolean;
}

/**
 * Reads the configured token, or generates one.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readServeToken(
  { token, tokenFile }: Pick<ServeSettings, 'token' | 'tokenFile'>,
  stderr: TerminalStream,
): Promise<ServeToken> {
  if (tokenFile !== undefined) return { token: await readToken(tokenFile, stderr), made: false };
  return token === undefined
    ? { token: randomBytes(32).toString('base64url'), made: true }
    : { token, made: false };
}

async function readToken(file: string, stderr: TerminalStream): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    await refuseShared(boundary, file, { where: '--token-file', stderr });
    return (await boundary.readText(basename(file), { limit: 4_096 })).trim();
  } catch (error) {
    if (!RootwardError.is(error) || error.code === 'INVALID_CONFIG') throw error;
    const reason = `cannot read a token from ${quote(file)}: ${error.message}`;
    throw new RootwardError('INVALID_CONFIG', { where: '--token-file', reason }, { cause: error });
  }
}

interface SessionNotice {
  /** The flag that named the file. */
  readonly where: string;
  readonly stderr: TerminalStream;
}

/**
 * Refuses a secret file that another user can write or replace. If others can merely read it, a warning is enough,
 * because secrets in containers are often readable to everyone inside. Windows has no such permissions.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
async function refuseShared(
  boundary: Boundary,
  file: string,
  { where, stderr }: SessionNotice,
): Promise<void> {
  if (process.platform === 'win32') return;
  refuseForeign(file, where);
  const { mode } = await boundary.stat(basename(file));
  if ((mode & 0o044) !== 0)
    stderr.write(`rootward: others on this machine can read ${quote(file)}; chmod 600 keeps it to you\n`);
}

function refuseForeign(file: string, where: string): void {
  try {
    requireOwnPlace(file);
  } catch (error) {
    if (!RootwardError.is(error, 'SHARED_PLACE')) throw error;
    const reason = `${error.message}. ${error.hint}`;
    throw new RootwardError('INVALID_CONFIG', { where, reason }, { cause: error });
  }
}
