import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { RootwardError } from '../errors.ts';

/**
 * Listens on a socket in the file system that its owner alone can open. Nobody else may be able to write to its
 * directory, or to replace it: they could put another socket there, and would be told the token.
 *
 * A socket that a process left behind is replaced; one on which somebody listens is not.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`
 */
export async function bindSocket(server: Server, path: string): Promise<void> {
  try {
    requireOwnPlace(dirname(path));
    await using directory = await openBoundary(dirname(path));
    if (await isLeftBehind(directory, path)) await directory.remove(basename(path));
    const listening = once(server, 'listening');
    listenAlone(server, path);
    await listening;
  } catch (error) {
    if (RootwardError.is(error, 'CANNOT_LISTEN')) throw error;
    throw cannot(path, reasonOf(error), error);
  }
}

/** The file appears while this runs, and with these permissions from the first moment on. */
function listenAlone(server: Server, path: string): void {
  const before = process.umask(0o177);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
}

async function isLeftBehind(directory: Boundary, path: string): Promise<boolean> {
  try {
    if ((await directory.lstat(basename(path))).kind !== 'socket') throw cannot(path, 'something is there');
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return false;
    throw error;
  }
  const caller = connect(path);
  const answered = await once(caller, 'connect').then(
    () => true,
    () => false,
  );
  caller.destroy();
  if (answered) throw cannot(path, 'something else listens there');
  return true;
}

function reasonOf(error: unknown): string {
  if (RootwardError.is(error, 'SHARED_PLACE')) return `${error.message}. ${error.hint}`;
  if (RootwardError.is(error)) return error.message;
  return `the system says ${(error as NodeJS.ErrnoException).code ?? 'nothing'}`;
}

function cannot(path: string, reason: string, cause?: unknown): RootwardError<'CANNOT_LISTEN'> {
  return new RootwardError('CANNOT_LISTEN', { address: `unix:${path}`, reason }, { cause });
}
