import type { SourceName } from './all-sources.ts';
import type { ClientFacts } from './root-source.ts';

/** How a client's name is recognised. */
export type NameRule = readonly [kind: 'exact' | 'prefix' | 'regex', text: string];

/** Facts about one client. The sources decide what follows from them. */
export interface Profile extends ClientFacts {
  readonly id: string;
  readonly title: string;
  /** Version and date that the facts were seen with. */
  readonly asOf: string;
  readonly match: readonly NameRule[];
  /**
   * The sources that are worth asking in this client, best first. It can only lower a guess: what was said
   * on purpose keeps its place, and a guess that is left out comes last and is a weak one.
   */
  readonly order?: readonly SourceName[];
  /** Names of known peculiarities. */
  readonly quirks?: readonly string[];
  /** The advice for a person who uses this client, as the end of "To fix this, …". */
  readonly remedy: string;
  readonly evidence?: readonly string[];
}

/** A client that Rootward comes with: its facts, and what a person and `discover` need to know about it. */
export interface KnownProfile extends Profile {
  /** A row of the README. */
  readonly install?: ProfileInstallation;
  /** Editors of its family that write down which folders they had open, as VS Code does. */
  readonly histories?: readonly EditorHistory[];
}

/** How a person adds Rootward to a client, in Markdown. */
export interface ProfileInstallation {
  /** As people call the client. */
  readonly name: string;
  /** One command, or a file to edit. */
  readonly add: string;
  /** How the server learns the project there. */
  readonly project: string;
}

export interface EditorHistory {
  /** As people call the editor. */
  readonly title: string;
  /** Its directory beneath the one where programs keep settings. */
  readonly directory: string;
}

/** `mcp-remote` adds itself to the name of the client it speaks for. */
const relaySuffix = / \(via mcp-remote [^)]*\)$/;

/** Of a rule, the surest first. */
export const matchKinds: readonly ['exact', 'prefix', 'regex'] = ['exact', 'prefix', 'regex'];

/** The profile for a name on the wire. Rows that come first win; exact before prefix before pattern. */
export function findProfile(
  profiles: readonly Profile[],
  clientName: string | undefined,
): Profile | undefined {
  if (clientName === undefined) return undefined;
  const name = clientName.replace(relaySuffix, '');
  for (const kind of matchKinds) {
    const found = profiles.find(({ match }) => match.some((rule) => rule[0] === kind && matches(rule, name)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A row that a user adds, over the built-in one for the same client: it adds, takes nothing away, and orders anew. */
export function mergeProfiles(added: Profile | undefined, known: Profile | undefined): Profile | undefined {
  if (added === undefined || known === undefined) return added ?? known;
  const { cwd } = { ...added, ...known };
  const { order } = { ...known, ...added };
  return {
    ...added,
    environment: [...(added.environment ?? []), ...(known.environment ?? [])],
    meta: [...(added.meta ?? []), ...(known.meta ?? [])],
    quirks: [...new Set([...(added.quirks ?? []), ...(known.quirks ?? [])])],
    ...(order === undefined ? {} : { order }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function matches([kind, text]: NameRule, name: string): boolean {
  switch (kind) {
    case 'exact':
      return name === text;
    case 'prefix':
      return name.startsWith(text);
    case 'regex':
      return new RegExp(text, 'u').test(name);
  }
}
