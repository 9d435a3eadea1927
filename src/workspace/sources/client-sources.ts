import { fieldsOf, ownField } from '../../base/fields.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { OfferedPlace, ProfileMeta, ProfileVariable, Signals, SourceTable } from './root-source.ts';
import { describeDropped, type RootsAnswer } from './roots-answer.ts';

/** Directories that the client names, with or without being asked. */
export const clientSources: SourceTable<
  'request-meta' | 'roots' | 'remembered' | 'initialize' | 'client-env'
> = {
  /**
   * Known clients put a directory into `_meta` of each request, which is right even if one process serves
   * many windows.
   */
  'request-meta': {
    trust: 'certain',
    explicit: true,
    fromOutside: true,
    offer({ meta }, profile) {
      const keys = profile?.meta ?? [];
      if (keys.length === 0) return { none: 'this client puts no directory into its requests' };
      const places = keys.flatMap((key) => placesAt(meta, key));
      return places.length === 0 ? { none: 'the request carries no directory' } : { places };
    },
  },

  /** The client's list of roots. */
  roots: {
    trust: 'certain',
    explicit: true,
    fromOutside: true,
    offer({ roots: answer = { state: 'unasked' } }) {
      switch (answer.state) {
        case 'unasked':
          return { none: 'the client was not asked for roots' };
        case 'unsupported':
          return { none: 'the client does not support roots' };
        case 'empty':
          return { none: whyEmpty(answer), ...droppedIn(answer.issues) };
        case 'failed':
          return { none: `the client did not answer: ${answer.reason}` };
        case 'listed':
          return answer.roots.length === 0
            ? { none: 'the client lists whole file systems only', ...droppedIn(answer.issues) }
            : { places: answer.roots.map(toPlace) };
      }
    },
  },

  /** The last good list of this connection, unless the client has revoked its roots. */
  remembered: {
    trust: 'likely',
    explicit: true,
    fromOutside: true,
    offer({ remembered: roots = [], roots: answer }) {
      if (answer?.state === 'empty' && answer.revoked) return { none: 'the client has taken its roots back' };
      // The same list, which has just been looked at.
      if (answer?.state === 'empty' && answer.issues !== undefined)
        return { none: 'none of them can be used' };
      if (answer?.state === 'failed' && answer.afterChange) return { none: 'the roots have changed since' };
      return roots.length === 0 ? { none: 'nothing is remembered' } : { places: roots.map(toPlace) };
    },
  },

  /** Some clients name their folders in `initialize`, although the protocol does not ask for it. */
  initialize: {
    trust: 'likely',
    explicit: true,
    fromOutside: true,
    offer({ initialize: params }) {
      for (const field of fields) {
        const places = placesIn(ownField(params, field), field);
        if (places.length > 0) return { places };
      }
      return { none: 'initialize says nothing about it' };
    },
  },

  /** Variables of the connected client only: those of another client may leak in from its terminal. */
  'client-env': {
    trust: 'likely',
    explicit: false,
    offer({ environment = {} }, profile) {
      const variables = profile?.environment ?? [];
      if (variables.length === 0) return { none: 'this client sets no variable for it' };
      const places = variables.flatMap((variable) => placesInVariable(environment, variable));
      return places.length === 0
        ? { none: `${variables.map(({ name }) => name).join(', ')} not set` }
        : { places };
    },
  },
};

function whyEmpty({ revoked, issues }: Extract<RootsAnswer, { readonly state: 'empty' }>): string {
  if (issues !== undefined) return `no root of the client can be used: ${describeDropped(issues)}`;
  return revoked ? 'the client has taken its roots back' : 'the client has no roots';
}

function droppedIn(issues: readonly RootIssue[] = []): { readonly dropped?: readonly string[] } {
  const dropped = issues.filter(({ effect }) => effect === 'dropped').map(({ entry }) => entry);
  return dropped.length === 0 ? {} : { dropped };
}

function placesAt(meta: unknown, { path, kind }: ProfileMeta): readonly OfferedPlace[] {
  const value = path.reduce(ownField, meta);
  const via = path.join('.');
  if (kind !== 'keys') return typeof value === 'string' ? [{ text: value, via }] : [];
  return Object.keys(fieldsOf(value)).map((text) => ({ text, via }));
}

export function toPlace({ path, name }: Root): OfferedPlace {
  return { text: path, name };
}

/** Fields of other protocols that some clients send with `initialize`, in order of precedence. */
const fields = ['roots', 'workspaceFolders', 'rootUri', 'rootPath'] as const;

function placesIn(value: unknown, via: string): readonly OfferedPlace[] {
  if (typeof value === 'string') return [{ text: value, via }];
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, via));
  const { uri, name } = fieldsOf(value);
  if (typeof uri !== 'string') return [];
  return [{ text: uri, via, ...(typeof name === 'string' && name !== '' ? { name } : {}) }];
}

function placesInVariable(
  environment: NonNullable<Signals['environment']>,
  variable: ProfileVariable,
): readonly OfferedPlace[] {
  const { name, kind, trust, when } = variable;
  const value = environment[name] ?? '';
  if (value === '' || (when !== undefined && environment[when.name] !== when.value)) return [];
  const texts = kind === 'directory' ? [value] : splitList(value);
  return texts.map((text) => ({ text, via: name, trust }));
}

/** Separated by commas, or a JSON array: both occur. */
function splitList(value: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed.filter((item) => typeof item === 'string');
  } catch {
    // Not JSON: the usual case.
  }
  return value.split(',').filter((text) => text !== '');
}
