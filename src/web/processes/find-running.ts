import { z } from 'zod';
import { fieldsOf } from '../../base/fields.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { operations } from '../../boundary/step/operation.ts';
import { isRunning } from '../../boundary/system/is-running.ts';
import { RootwardError } from '../../errors.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';

/** Finds every announced process that is alive, and removes the files of dead ones. */
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
  const record = await readJson(boundary, `${id}.json`);
  if (!isNamed(record) || record.id !== id) return undefined;
  if (await isAlive(boundary, record)) return parseProcess(record);
  for (const name of [`${id}.json`, `${id}.lock`]) await boundary.remove(name).catch(() => {});
  return undefined;
}

type NamedProcess = Pick<AnnouncedProcess, 'id' | 'pid'>;

/** Enough to tell which process it is and whether it is gone. */
function isNamed(value: unknown): value is NamedProcess {
  const { id, pid } = fieldsOf(value);
  return typeof id === 'string' && typeof pid === 'number';
}

/** A process is dead if its lock can be taken. */
async function isAlive(boundary: Boundary, { id, pid }: NamedProcess): Promise<boolean> {
  try {
    await using lock = await boundary.lock(`${id}.lock`, { timeout: 0 });
    // Without system locks a file serves as the lock, and it may look abandoned while the process still runs.
    return lock.kind === 'file' && isRunning(pid);
  } catch (error) {
    if (RootwardError.is(error, 'BUSY')) return true;
    if (RootwardError.is(error)) return false;
    throw error;
  }
}

/** Removes answers to a process that is gone. */
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

/** Reads a small file as JSON; `undefined` if it is missing or unreadable. */
export async function readJson(boundary: Boundary, name: string): Promise<unknown> {
  try {
    return JSON.parse(await boundary.readText(name, { limit: 4 * 1024 * 1024 }));
  } catch (error) {
    if (RootwardError.is(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses the announcement of a process; `undefined` if it does not have the required form. Unknown fields of other
 * versions are kept.
 */
export function parseProcess(value: unknown): AnnouncedProcess | undefined {
  const { success, data } = announced.safeParse(value);
  // The compiler cannot see that the schema removes undefined fields.
  return success ? (data as AnnouncedProcess) : undefined;
}

const texts = z.array(z.string());
const count = z.number().int().nonnegative();

const trailStep = z.looseObject({
  source: z.string(),
  outcome: z.enum(['chosen', 'refused', 'absent', 'passed']),
  offered: texts,
  reason: z.string(),
});

const connection = z.looseObject({
  id: z.string(),
  client: z.string().optional(),
  version: z.string().optional(),
  revision: z.string().optional(),
  transport: z.enum(['stdio', 'http']),
  declared: z.object({ roots: z.boolean(), listChanged: z.boolean(), elicitation: z.boolean() }),
  answered: z
    .looseObject({
      state: z.enum(['unasked', 'unsupported', 'empty', 'listed', 'failed']),
      roots: count,
      reason: z.string().optional(),
    })
    .optional(),
  changes: count,
  since: z.iso.datetime(),
  seen: z.iso.datetime(),
  project: z.looseObject({ name: z.string(), location: z.string().optional() }).optional(),
  source: z.string().optional(),
  why: z.string().optional(),
  roots: texts,
  places: texts.default([]),
  trail: z.array(trailStep),
  refusal: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
});

const question = z.looseObject({
  id: z.string(),
  kind: z.enum(['access', 'exposure', 'switch']),
  who: z.string(),
  operation: z.enum(operations).optional(),
  path: z.string().optional(),
  tool: z.string().optional(),
  real: z.string().optional(),
  whole: z.boolean().optional(),
  detail: z.string().optional(),
  roots: texts,
  places: texts.default([]),
  server: z.string().optional(),
  connection: z.string().optional(),
  session: z.boolean().default(false),
  follows: z.boolean().default(false),
  reason: z.string(),
  asked: z.iso.datetime(),
  until: z.iso.datetime(),
});

const rules = z.looseObject({
  policy: z.looseObject({}),
  limited: z.boolean(),
  follows: z.boolean(),
  directories: texts.optional(),
});

const announced = z.looseObject({
  id: z.string(),
  pid: count,
  command: z.enum(['serve', 'web', 'watch', 'host']),
  version: z.string(),
  started: z.iso.datetime(),
  directory: z.string(),
  url: z.string().optional(),
  server: z.string().optional(),
  rules: rules.optional(),
  pages: count.optional(),
  hidden: count.optional(),
  connections: z.array(connection),
  questions: z.array(question),
});
