import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { RootwardError } from '../../errors.ts';

/**
 * What a client is told of a failure that nobody foresaw: a number. The rest is a warning of the process, which
 * goes to stderr, because messages of the system name paths.
 */
export function failedInside(error: unknown): RootwardError {
  if (RootwardError.is(error)) return error;
  const id = randomUUID();
  process.emitWarning(`Rootward failed inside (${id}): ${inspect(error)}`);
  return new RootwardError('INTERNAL', { id }, { cause: error });
}
