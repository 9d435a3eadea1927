import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { firstWithout } from './methods.ts';

/** Metadata in which 2026-07-28 says on each message what older revisions say once per connection. */
export const metaNames = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

const ownNames: ReadonlySet<string> = new Set(Object.values(metaNames));

/** The introduction of a client in a request of 2026-07-28. */
export interface ClientEnvelope {
  readonly version: string;
  readonly capabilities: Fields;
  readonly info: Fields | undefined;
  readonly logLevel: string | undefined;
}

/** Reads the introduction in a request; `undefined` if it has none. */
export function readEnvelope(params: unknown): ClientEnvelope | undefined {
  const meta = fieldsOf(fieldsOf(params)['_meta']);
  const version = meta[metaNames.version];
  if (typeof version !== 'string') return undefined;
  const { [metaNames.clientInfo]: info, [metaNames.logLevel]: logLevel } = meta;
  return {
    version,
    capabilities: fieldsOf(meta[metaNames.capabilities]),
    info: isFields(info) ? info : undefined,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}

/** The words of the gateway about a client, for a server of 2026-07-28. */
export interface ClientIntroduction {
  readonly capabilities: Fields;
  readonly info: Fields | undefined;
  readonly logLevel?: string | undefined;
}

/** Adds the introduction to parameters. Metadata of the client stays, but for names that the gateway owns. */
export function withEnvelope(params: unknown, { capabilities, info, logLevel }: ClientIntroduction): Fields {
  const given = fieldsOf(params);
  return {
    ...given,
    _meta: {
      ...foreignMeta(given['_meta']),
      [metaNames.version]: firstWithout,
      [metaNames.capabilities]: capabilities,
      ...(info && { [metaNames.clientInfo]: info }),
      ...(logLevel !== undefined && { [metaNames.logLevel]: logLevel }),
    },
  };
}

/** Adds a capability to the introduction in a request. */
export function withCapability(params: unknown, name: string): Fields {
  const given = fieldsOf(params);
  const meta = fieldsOf(given['_meta']);
  const capabilities = { ...fieldsOf(meta[metaNames.capabilities]), [name]: {} };
  return { ...given, _meta: { ...meta, [metaNames.capabilities]: capabilities } };
}

/** Removes from parameters or a result the metadata that older revisions do not have, and `_meta` if it is empty then. */
export function withoutEnvelope(value: unknown): Fields {
  const { _meta: meta, ...rest } = fieldsOf(value);
  const foreign = foreignMeta(meta);
  return Object.keys(foreign).length === 0 ? rest : { ...rest, _meta: foreign };
}

/** Adds one entry to the metadata of parameters or of a result. */
export function withMeta(value: unknown, name: string, entry: unknown): Fields {
  const given = fieldsOf(value);
  return { ...given, _meta: { ...fieldsOf(given['_meta']), [name]: entry } };
}

function foreignMeta(meta: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(meta)).filter(([name]) => !ownNames.has(name)));
}
