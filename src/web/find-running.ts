import type { Boundary } from '../boundary/boundary.ts';
import { RootwardError } from '../errors.ts';
import type { Answer, ProcessView } from './wire.ts';

/** Every process that announced itself and still lives. What dead ones have left is tidied up. */
export async function findRunning(boundary: Boundary): Promise<readonly ProcessView[]> {
  const { entries } = await boundary.list('.');
  const names = entries.map(({ name }) => name);
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  const found = await Promise.all(ids.map((id) => readProcess(boundary, id)));
  await sweepAnswers(boundary, names, new Set(ids));
  return found
    .filter((view) => view !== undefined)
    .toSorted((one, other) => (one.started < other.started ? -1 : 1));
}

async function readProcess(boundary: Boundary, id: string): Promise<ProcessView | undefined> {
  const view = await readJson(boundary, `${id}.json`);
  if (!isProcess(view) || view.id !== id) return undefined;
  if (await isAlive(boundary, view)) return view;
  for (const name of [`${id}.json`, `${id}.lock`]) await boundary.remove(name).catch(() => {});
  return undefined;
}

/** Whoever can take the lock of a process knows that it is gone. */
async function isAlive(boundary: Boundary, { id, pid }: ProcessView): Promise<boolean> {
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
    if (!name.endsWith('.answer') || id === undefined || ids.has(id)) continue;
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

function isProcess(value: unknown): value is ProcessView {
  if (typeof value !== 'object' || value === null) return false;
  const { id, pid, command, connections, questions } = value as Partial<Record<keyof ProcessView, unknown>>;
  const isNamed = typeof id === 'string' && typeof pid === 'number' && typeof command === 'string';
  return isNamed && Array.isArray(connections) && Array.isArray(questions);
}

const answers: readonly unknown[] = ['once', 'session', 'always', 'never'] satisfies readonly Answer[];

export function isAnswer(value: unknown): value is Answer {
  return answers.includes(value);
}
