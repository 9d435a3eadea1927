import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import type { SealingKey } from '../http/exchange/request-state.ts';
import { quote } from '../base/quote.ts';
import type { Terminal } from './settings/process-context.ts';
import { refuseShared } from './read-serve-token.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

type Told = Pick<ServeSettings, 'sealingKey' | 'sealingKeyFile'>;

/** Characters of a key at least: 32 random bytes in base64 are 44. */
const shortest = 32;

/**
 * The keys that nodes share: one in a line of the file, or between commas in the environment. The first one
 * seals, all of them open, so that a key can be changed without a call that fails.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readSealingKeys(
  { sealingKey, sealingKeyFile }: Told,
  stderr: Terminal = silent,
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

const silent: Terminal = { write: () => {} };

/** Its name tells nothing about it. */
function toKey(text: string): SealingKey {
  const secret = createHash('sha256').update('rootward sealing key\0').update(text).digest();
  const id = createHash('sha256').update('name\0').update(secret).digest('base64url').slice(0, 8);
  return { id, secret };
}

async function readKeys(file: string, stderr: Terminal): Promise<string> {
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
