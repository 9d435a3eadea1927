import type { SourceName } from './all-sources.ts';
import type { ClientFacts } from './root-source.ts';

/** How a client's name is recognised. */
export type NameRule = readonly [kind: 'exact' | 'prefix' | 'regex', text: string];

/** Facts about one client. The sources decide what follows from them. */
export interface Profile extends ClientFacts {
  readonly id: string;
  readonly title: string;
  /** Version and date of the observation. */
  readonly asOf: string;
  readonly match: readonly NameRule[];
  /**
   * The useful sources in this client, best first. An order can only lower a guess: explicit sources keep
   * their place, and an omitted guess comes last, with weak trust.
   */
  readonly order?: readonly SourceName[];
  /** Characters of text in one tool result, above which this client cuts it or hides it from its model. */
  readonly maxAnswer?: number;
  /** Names of known peculiarities. */
  readonly quirks?: readonly string[];
  /** Advice for a person who uses this client, worded as the end of "To fix this, …". */
  readonly remedy: string;
  readonly evidence?: readonly string[];
}

/** A client that Rootward ships with: its facts, and data for the README and for `discover`. */
export interface KnownProfile extends Profile {
  /** A row of the README. */
  readonly install?: ProfileInstallation;
  /** Editors of its family that record their recently opened folders, as VS Code does. */
  readonly histories?: readonly EditorHistory[];
}

/** How a person adds Rootward to a client, in Markdown. */
export interface ProfileInstallation {
  /** The client's usual name. */
  readonly name: string;
  /** One command, or a file to edit. */
  readonly add: string;
  /** How the server learns the project there. */
  readonly project: string;
}

export interface EditorHistory {
  /** The editor's usual name. */
  readonly title: string;
  /** Its directory within the settings directory of the platform. */
  readonly directory: string;
}

/** `mcp-remote` adds itself to the name of the client it speaks for. */
const relaySuffix = / \(via mcp-remote [^)]*\)$/;

/** Kinds of rules, the most reliable first. */
export const matchKinds: readonly ['exact', 'prefix', 'regex'] = ['exact', 'prefix', 'regex'];

/** Finds the profile for a client name on the wire. Earlier rows win; exact before prefix before regex. */
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

/**
 * Merges a user's row with the built-in one for the same client: it adds facts, removes none, and may replace
 * the order.
 */
export function mergeProfiles(added: Profile | undefined, known: Profile | undefined): Profile | undefined {
  if (added === undefined || known === undefined) return added ?? known;
  const { cwd } = { ...added, ...known };
  const { order, maxAnswer } = { ...known, ...added };
  return {
    ...added,
    environment: [...(added.environment ?? []), ...(known.environment ?? [])],
    meta: [...(added.meta ?? []), ...(known.meta ?? [])],
    quirks: [...new Set([...(added.quirks ?? []), ...(known.quirks ?? [])])],
    ...(order === undefined ? {} : { order }),
    ...(maxAnswer === undefined ? {} : { maxAnswer }),
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
