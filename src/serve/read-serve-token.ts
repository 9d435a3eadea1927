import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { RootwardError } from '../errors.ts';
import { quote } from '../base/quote.ts';
import type { Terminal } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

export interface ServeToken {
  readonly token: string;
  /** Nobody knows it yet. */
  readonly made: boolean;
}

/**
 * The token of the settings, else a new one.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readServeToken(
  { token, tokenFile }: Pick<ServeSettings, 'token' | 'tokenFile'>,
  stderr: Terminal,
): Promise<ServeToken> {
  if (tokenFile !== undefined) return { token: await readToken(tokenFile, stderr), made: false };
  return token === undefined
    ? { token: randomBytes(32).toString('base64url'), made: true }
    : { token, made: false };
}

async function readToken(file: string, stderr: Terminal): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    await refuseShared(boundary, file, { where: '--token-file', stderr });
    return (await boundary.readText(basename(file), { limit: 4_096 })).trim();
  } catch (error) {
    if (!RootwardError.is(error) || error.code === 'INVALID_CONFIG') throw error;
    const reason = `no token can be read from ${quote(file)}: ${error.message}`;
    throw new RootwardError('INVALID_CONFIG', { where: '--token-file', reason }, { cause: error });
  }
}

interface Telling {
  /** The flag that named the file. */
  readonly where: string;
  readonly stderr: Terminal;
}

/**
 * A secret that others can write, or can put another in the place of, is theirs. That they can read it is said
 * and no more: what a container is given is often readable by everybody in it. Windows has no such permissions.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function refuseShared(
  boundary: Boundary,
  file: string,
  { where, stderr }: Telling,
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
