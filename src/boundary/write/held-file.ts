import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { RootwardError } from '../../errors.ts';
import { readText } from '../read/read.ts';
import { stat } from '../read/stat.ts';
import type { BoundaryContext } from '../step/context.ts';
import { ifThere } from '../step/if-there.ts';
import { isRunning } from '../system/is-running.ts';
import { remove } from './remove.ts';
import { rename } from './rename.ts';
import { write } from './write.ts';

/** Milliseconds after which a lock counts as abandoned: far longer than one is ever held. */
const abandonedAfter = 60_000;

/**
 * Creates a file that represents a lock, and returns a function that removes it; `undefined` while another
 * process holds it. The lock of a dead process is moved away first.
 *
 * Not guaranteed: if two processes find the same dead lock at the same moment while a third takes it, two of
 * them may hold the lock for a moment. The locks of the system have no such gap.
 */
export async function takeHeldFile(
  context: BoundaryContext,
  path: string,
): Promise<(() => Promise<void>) | undefined> {
  const own = `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}\n`;
  try {
    await write(context, path, own, { exclusive: true, mode: 0o600 });
    return () => removeOwn(context, path, own);
  } catch (error) {
    if (!RootwardError.is(error, 'ALREADY_EXISTS')) throw error;
  }
  await clearAbandoned(context, path);
  return undefined;
}

async function removeOwn(context: BoundaryContext, path: string, own: string): Promise<void> {
  if ((await textOf(context, path)) === own) await remove(context, path);
}

async function clearAbandoned(context: BoundaryContext, path: string): Promise<void> {
  const held = await textOf(context, path);
  if (held === undefined || !isAbandoned(context, path, held)) return;
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await rename({ source: context, target: context }, path, aside);
    // Another process was faster, and its lock is alive: put it back, unless yet another took the name.
    if ((await textOf(context, aside)) !== held) {
      return await rename({ source: context, target: context }, aside, path);
    }
    await remove(context, aside);
  } catch (error) {
    if (!RootwardError.is(error, 'NOT_FOUND') && !RootwardError.is(error, 'ALREADY_EXISTS')) throw error;
  }
}

function isAbandoned(context: BoundaryContext, path: string, held: string): boolean {
  const [, host, pid] = /^(\S+) (\d+) /.exec(held) ?? [];
  if (host === hostname() && pid !== undefined && !isRunning(Number(pid))) return true;
  try {
    return Date.now() - stat(context, path).modified.getTime() > abandonedAfter;
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return false;
    throw error;
  }
}

function textOf(context: BoundaryContext, path: string): Promise<string | undefined> {
  return ifThere(readText(context, path, { limit: 1_024 }));
}
