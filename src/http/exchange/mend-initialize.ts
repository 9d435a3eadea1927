import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { envelopeKeys, sessionRevisions } from '../../server/sdk/protocol-server.ts';

/** The parameters of an `initialize`, and what had to be repaired, as ends of a sentence. */
export interface MendedInitialize {
  readonly params: Fields;
  readonly repairs: readonly string[];
}

/**
 * Repairs the mistakes in `initialize` that clients are known to make, so that the SDK's schema accepts it: a client
 * that declares `roots: true` or leaves out its version is served, not refused. Unknown fields stay as they are.
 *
 * @example
 * ```ts
 * const { params, repairs } = mendInitialize({ capabilities: { roots: true } });
 * params.capabilities.roots // → {}
 * repairs.length // → 4
 * ```
 */
export function mendInitialize(params: unknown): MendedInitialize {
  const repairs: string[] = [];
  const given = fieldsOf(params);
  const mended = {
    ...given,
    protocolVersion: mendVersion(given['protocolVersion'], repairs),
    capabilities: mendCapabilities(given['capabilities'], repairs),
    clientInfo: mendClientInfo(given['clientInfo'], repairs),
  };
  return { params: repairs.length === 0 ? given : mended, repairs };
}

/** A message, and what had to be repaired in it. */
export interface MendedMessage<Message> {
  readonly message: Message;
  readonly repairs: readonly string[];
}

/**
 * Repairs the same mistakes in the metadata with which a client of 2026-07-28 introduces itself in every request. Where
 * that revision wants a refusal, nothing is repaired: capabilities that are missing, and a revision that is unknown.
 */
export function mendEnvelope<Message>(message: Message): MendedMessage<Message> {
  const { params } = fieldsOf(message);
  const { _meta: meta } = fieldsOf(params);
  const repairs: string[] = [];
  if (!isFields(meta)) return { message, repairs };
  const { [envelopeKeys.capabilities]: capabilities, [envelopeKeys.client]: info } = meta;
  const mended = {
    ...(isFields(capabilities) && {
      [envelopeKeys.capabilities]: mendCapabilities(capabilities, repairs),
    }),
    ...(isFields(info) && { [envelopeKeys.client]: mendClientInfo(info, repairs) }),
  };
  if (repairs.length === 0) return { message, repairs };
  return { message: { ...message, params: { ...fieldsOf(params), _meta: { ...meta, ...mended } } }, repairs };
}

/** Answered like any revision that the server does not know: with the newest that it does. */
const noRevision = 'unknown';

function mendVersion(version: unknown, repairs: string[]): string {
  if (typeof version === 'string') {
    if (!sessionRevisions.includes(version))
      repairs.push('protocolVersion is no known revision with initialize');
    return version;
  }
  repairs.push('protocolVersion is not a text');
  return noRevision;
}

function mendCapabilities(capabilities: unknown, repairs: string[]): Fields {
  if (!isFields(capabilities)) {
    repairs.push('capabilities is not an object');
    return {};
  }
  const entries = Object.entries(capabilities).flatMap(([name, value]) => {
    const mended = mendCapability(name, value, repairs);
    return mended === undefined ? [] : [[name, mended] as const];
  });
  return Object.fromEntries(entries);
}

/** A capability is an object; some clients send `true` for one that they have. */
function mendCapability(name: string, value: unknown, repairs: string[]): Fields | undefined {
  if (value === undefined) return undefined;
  if (!isFields(value)) {
    repairs.push(`the capability ${name} is not an object`);
    return value === true ? {} : undefined;
  }
  const { listChanged, ...others } = value;
  if (name !== 'roots' || listChanged === undefined || typeof listChanged === 'boolean') return value;
  repairs.push('listChanged of roots is not true or false');
  return others;
}

/** An SDK wants both texts; a client without a name is not mistaken for another. */
function mendClientInfo(info: unknown, repairs: string[]): Fields {
  const given = fieldsOf(info);
  const texts = (['name', 'version'] as const).map((field) => {
    const value = given[field];
    if (typeof value === 'string') return [field, value] as const;
    repairs.push(`the ${field} of the client is not a text`);
    return [field, typeof value === 'number' ? String(value) : 'unknown'] as const;
  });
  return { ...given, ...Object.fromEntries(texts) };
}
