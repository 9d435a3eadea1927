import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { parseProcess } from './parse-process.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';

/** Every process that announced itself and still lives. What dead ones have left is tidied up. */
export async function findRunning(boundary: Boundary): Promise<readonly AnnouncedProcess[]> {
  const { entries } = await boundary.list('.');
  const names = entries.map(({ name }) => name);
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  const found = await Promise.all(ids.map((id) => readProcess(boundary, id)));
  await sweepAnswers(boundary, names, new Set(ids));
  return found
    .filter((view) => view !== undefined)
    .toSorted((one, other) => (one.started < other.started ? -1 : 1));
}

async function readProcess(boundary: Boundary, id: string): Promise<AnnouncedProcess | undefined> {
  const said = await readJson(boundary, `${id}.json`);
  if (!isNamed(said) || said.id !== id) return undefined;
  if (await isAlive(boundary, said)) return parseProcess(said);
  for (const name of [`${id}.json`, `${id}.lock`]) await boundary.remove(name).catch(() => {});
  return undefined;
}

type Named = Pick<AnnouncedProcess, 'id' | 'pid'>;

/** Enough to know whose it is, and whether that one is gone. */
function isNamed(value: unknown): value is Named {
  if (typeof value !== 'object' || value === null) return false;
  const { id, pid } = value as Partial<Record<keyof Named, unknown>>;
  return typeof id === 'string' && typeof pid === 'number';
}

/** Whoever can take the lock of a process knows that it is gone. */
async function isAlive(boundary: Boundary, { id, pid }: Named): Promise<boolean> {
  try {
    await using lock = await boundary.lock(`${id}.lock`, { timeout: 0 });
    // Where the system has no locks, a file stands for one, and is taken for abandoned after a while.
    return lock.kind === 'file' && isRunning(pid);
  } catch (error) {
    if (RootwardError.is(error, 'BUSY')) return true;
    if (RootwardError.is(error)) return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Answers that came when nobody was there to take them. */
async function sweepAnswers(
  boundary: Boundary,
  names: readonly string[],
  ids: ReadonlySet<string>,
): Promise<void> {
  for (const name of names) {
    const [id] = name.split('.');
    if (!/\.(?:answer|taken)$/.test(name) || id === undefined || ids.has(id)) continue;
    await boundary.remove(name).catch(() => {});
  }
}

/** A small file as JSON; `undefined` if it is gone, or says nothing that can be read. */
export async function readJson(boundary: Boundary, name: string): Promise<unknown> {
  try {
    return JSON.parse(await boundary.readText(name, { limit: 4 * 1024 * 1024 }));
  } catch (error) {
    if (RootwardError.is(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
