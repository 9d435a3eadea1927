import * as z from 'zod/mini';
import type { Boundary } from '../boundary/boundary.ts';
import { objectOf, readValue } from '../base/read-value.ts';
import { openOwnDirectory } from '../config/own-directory.ts';
import type { CaughtClients, ClientFault } from '../server/connection/client-roots.ts';
import type { ClientIdentity } from '../workspace/sources/root-source.ts';

export interface CaughtClientsFile extends CaughtClients {
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export interface CaughtClientsOptions {
  readonly now?: () => number;
}

/** Clients that are remembered; the oldest one is forgotten first. */
const most = 100;

/** Milliseconds for which a client is remembered: its next version may keep its promise. */
const aDay = 86_400_000;

const fileName = 'caught-clients.json';

/** Characters of a name or version that are kept: a client chooses them. */
const longest = 200;

const entrySchema = objectOf({
  name: z.string(),
  version: z.string(),
  fault: z.enum(['silent', 'unknown-method']),
  at: z.string(),
});
const fileSchema = z.array(entrySchema);

type CaughtEntry = z.output<typeof entrySchema>;

/**
 * Remembers in the state directory, for a day, which clients declare roots and do not list them, so that their next
 * connection is not kept waiting. If the directory cannot be read or written, nothing is remembered. Two processes
 * that write at the same time may lose one of the entries, which costs one wait.
 */
export function openCaughtClients(
  directory: string,
  { now = Date.now }: CaughtClientsOptions = {},
): CaughtClientsFile {
  let writing: Promise<void> = Promise.resolve();
  const isFresh = ({ at }: CaughtEntry): boolean => {
    const age = now() - Date.parse(at);
    return age >= 0 && age < aDay;
  };
  const change = async (client: ClientKey, fault: ClientFault | undefined): Promise<void> => {
    await using boundary = await openOwnDirectory(directory);
    const before = await readEntries(boundary);
    const others = before.filter((entry) => isFresh(entry) && !isSame(entry, client));
    const at = new Date(now()).toISOString();
    const entries = fault === undefined ? others : [...others, { ...client, fault, at }];
    await boundary.write(fileName, JSON.stringify(entries.slice(-most)), { mode: 0o600 });
  };
  return {
    async find(client) {
      try {
        await writing;
        await using boundary = await openOwnDirectory(directory);
        const entries = await readEntries(boundary);
        return entries.find((entry) => isFresh(entry) && isSame(entry, keyOf(client)));
      } catch {
        return undefined;
      }
    },
    note(client, fault) {
      // Without a place to write, the next connection waits again.
      writing = writing.then(() => change(keyOf(client), fault)).catch(() => undefined);
    },
    close: () => writing,
  };
}

type ClientKey = Pick<CaughtEntry, 'name' | 'version'>;

function keyOf({ name, version = '' }: ClientIdentity): ClientKey {
  return { name: name.slice(0, longest), version: version.slice(0, longest) };
}

function isSame(one: ClientKey, other: ClientKey): boolean {
  return one.name === other.name && one.version === other.version;
}

/** A file that is missing or was not written by this program holds nothing. */
async function readEntries(boundary: Boundary): Promise<readonly CaughtEntry[]> {
  try {
    const read = readValue(fileSchema, JSON.parse(await boundary.readText(fileName, { limit: 256 * 1024 })));
    return 'value' in read ? read.value : [];
  } catch {
    return [];
  }
}
