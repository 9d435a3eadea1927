import { createHash } from 'node:crypto';
import { fieldsOf } from '../../base/fields.ts';
import { ifThere } from '../../boundary/step/if-there.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';
import type { ChosenProject, ProjectChoices } from '../../server/settings/chosen-project.ts';

/**
 * Keeps which of several projects a person chose, in one file for each client and set of directories, so that the
 * next connection need not ask. A choice grants nothing: it is one of the directories that are open anyway. If the
 * directory cannot be used, choices last as long as the process; a refusal to choose always does.
 */
export function createProjectChoices(directory: string): ProjectChoices {
  const known = new Map<string, ChosenProject>();
  return {
    async find(client, places) {
      const key = keyOf(client, places);
      const chosen = known.get(key) ?? (await quietly(() => load(directory, key)));
      if (chosen !== undefined) known.set(key, chosen);
      return chosen;
    },
    async keep(client, places, chosen) {
      const key = keyOf(client, places);
      known.set(key, chosen);
      if (chosen.location !== undefined) await quietly(() => save(directory, key, chosen));
    },
  };
}

/** The same for the same client and directories, whatever their order. */
function keyOf(client: string | undefined, places: readonly string[]): string {
  const text = JSON.stringify([client ?? '', ...places.toSorted()]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const fileOf = (key: string): string => `project-${key}.json`;

/** Bytes of a file; a path and a little more. */
const largest = 131_072;

async function load(directory: string, key: string): Promise<ChosenProject | undefined> {
  await using own = await openOwnDirectory(directory);
  const text = await ifThere(own.readText(fileOf(key), { limit: largest }));
  if (text === undefined) return undefined;
  const { location } = fieldsOf(JSON.parse(text));
  return typeof location === 'string' ? { location } : undefined;
}

async function save(directory: string, key: string, chosen: ChosenProject): Promise<void> {
  await using own = await openOwnDirectory(directory);
  const content = { ...chosen, at: new Date().toISOString() };
  await own.write(fileOf(key), `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** A choice that cannot be read or kept is asked for again. */
async function quietly<Value>(act: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await act();
  } catch (error) {
    if (RootwardError.is(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
