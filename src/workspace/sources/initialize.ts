import type { OfferedPlace, RootSource } from './root-source.ts';

/** Fields of other protocols that some clients send with `initialize`, in the order they are looked at. */
const fields = ['roots', 'workspaceFolders', 'rootUri', 'rootPath'] as const;

/** What a client says in `initialize` although the protocol does not ask for it. */
export const initialize: RootSource = {
  name: 'initialize',
  trust: 'likely',
  explicit: true,
  told: true,
  offer({ initialize: params }) {
    if (typeof params !== 'object' || params === null) return { none: 'initialize says nothing about it' };
    for (const field of fields) {
      const places = placesIn(Object.hasOwn(params, field) ? Reflect.get(params, field) : undefined, field);
      if (places.length > 0) return { places };
    }
    return { none: 'initialize says nothing about it' };
  },
};

function placesIn(value: unknown, via: string): readonly OfferedPlace[] {
  if (typeof value === 'string') return [{ text: value, via }];
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, via));
  if (typeof value !== 'object' || value === null || !('uri' in value) || typeof value.uri !== 'string')
    return [];
  const named =
    'name' in value && typeof value.name === 'string' && value.name !== '' ? { name: value.name } : {};
  return [{ text: value.uri, via, ...named }];
}
