import type { ProfileMeta } from './profile.ts';
import type { OfferedPlace, RootSource } from './root-source.ts';

/** What known clients put into `_meta` of each request: right even where one process serves many windows. */
export const requestMeta: RootSource = {
  name: 'request-meta',
  trust: 'certain',
  explicit: true,
  told: true,
  offer({ meta }, profile) {
    const keys = profile?.meta ?? [];
    if (keys.length === 0) return { none: 'this client puts no directory into its requests' };
    const places = keys.flatMap((key) => placesAt(meta, key));
    return places.length === 0 ? { none: 'the request carries no directory' } : { places };
  },
};

function placesAt(meta: unknown, { path, kind }: ProfileMeta): readonly OfferedPlace[] {
  const value = path.reduce<unknown>(valueOf, meta);
  const via = path.join('.');
  if (kind !== 'keys') return typeof value === 'string' ? [{ text: value, via }] : [];
  return typeof value === 'object' && value !== null ? Object.keys(value).map((text) => ({ text, via })) : [];
}

function valueOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
