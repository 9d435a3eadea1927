import { isAbsolute } from 'node:path';
import { quote } from '../../base/quote.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots } from '../../path/root.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { type ConnectionMemory, createMemory } from '../../server/connection/connection-memory.ts';
import { allProfiles } from '../../workspace/profiles/all-profiles.ts';
import { findProfile, type Profile } from '../../workspace/sources/profile.ts';
import { answerList } from '../../workspace/sources/roots-answer.ts';

/** A client as if it had been started here and connected to a server. */
export interface ClientHere {
  /** The memory of its connection: its name, and the roots that it lists. */
  readonly memory: ConnectionMemory;
  /** Its name and the roots that it lists, for the end of a sentence. */
  readonly words: string;
}

/**
 * Plays a client by its name on the wire or the id of its profile. One that is known to list roots lists the directory
 * it is opened in: that of its own variable, or else the current one.
 */
export function clientHere(context: CliContext, name: string): ClientHere {
  const byId = allProfiles.find(({ id }) => id === name);
  const profile = findProfile(allProfiles, name) ?? byId;
  const wire = findProfile(allProfiles, name) === undefined ? (wireNameOf(byId) ?? name) : name;
  const clientInfo = { name: wire };
  if (profile?.order?.includes('roots') !== true) {
    const fact =
      profile === undefined ? 'an unknown client, as if it listed no roots' : 'which lists no roots';
    return { memory: createMemory({ initialize: { clientInfo } }), words: `${quote(wire)}, ${fact}` };
  }
  const folder = folderOf(context, profile);
  const answer = answerList(parseRoots([{ uri: toFileUri(folder) }]), { state: 'unasked' });
  const initialize = { clientInfo, capabilities: { roots: {} } };
  return {
    memory: createMemory({ initialize, answer, answered: 0 }),
    words: `${quote(wire)}, which lists ${quote(folder)}`,
  };
}

function wireNameOf(profile: Profile | undefined): string | undefined {
  return profile?.match.find(([kind]) => kind === 'exact')?.[1];
}

function folderOf({ cwd, process }: CliContext, { environment = [] }: Profile): string {
  const named = environment.map(({ name }) => process.env?.[name] ?? '');
  return named.find((path) => isAbsolute(path)) ?? cwd;
}
