import type { ProfileVariable } from './profile.ts';
import type { OfferedPlace, RootSource } from './root-source.ts';
import type { Signals } from './signals.ts';

/** Variables of the client that is really connected: those of another one leak in from its terminal. */
export const clientEnv: RootSource = {
  name: 'client-env',
  trust: 'likely',
  explicit: false,
  offer({ environment = {} }, profile) {
    const variables = profile?.environment ?? [];
    if (variables.length === 0) return { none: 'this client sets no variable for it' };
    const places = variables.flatMap((variable) => placesIn(environment, variable));
    return places.length === 0
      ? { none: `${variables.map(({ name }) => name).join(', ')} not set` }
      : { places };
  },
};

function placesIn(
  environment: NonNullable<Signals['environment']>,
  variable: ProfileVariable,
): readonly OfferedPlace[] {
  const { name, kind, trust, when } = variable;
  const value = environment[name] ?? '';
  if (value === '' || (when !== undefined && environment[when.name] !== when.value)) return [];
  const texts = kind === 'directory' ? [value] : splitList(value);
  return texts.map((text) => ({ text, via: name, trust }));
}

/** With commas, or as a JSON array: both were seen. */
function splitList(value: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed.filter((item) => typeof item === 'string');
  } catch {
    // Not JSON: the usual case.
  }
  return value.split(',').filter((text) => text !== '');
}
