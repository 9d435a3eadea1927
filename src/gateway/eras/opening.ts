import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { isRequest, type RpcId, type RpcMessage, type RpcRequest } from '../../http/exchange/json-rpc.ts';
import { metaNames, readEnvelope, withEnvelope } from './envelope.ts';
import {
  firstWithout,
  hasHandshake,
  lastWithHandshake,
  type ProtocolRevision,
  revisions,
} from './methods.ts';
import { sharedCapabilities, toNewerResult } from './results.ts';
import { rpcCodes, type RpcFailure } from './step.ts';

/** A client as it introduces itself with its first message. */
export interface ClientOpening {
  readonly handshake: boolean;
  readonly capabilities: Fields;
  readonly info: Fields | undefined;
}

/** A server as it introduces itself: the result of `initialize` or of `server/discover`. */
export interface ServerOpening {
  readonly capabilities: Fields;
  readonly info: Fields | undefined;
  readonly instructions: string | undefined;
}

/** Reads the era of a client from its first message. A message that belongs to neither era is a failure. */
export function readClientOpening(message: RpcMessage): ClientOpening | { readonly failure: RpcFailure } {
  const params = 'method' in message ? message.params : undefined;
  const envelope = readEnvelope(params);
  if (envelope === undefined) return olderOpening(message, fieldsOf(params));
  const failure = envelopeFailure(params);
  if (failure !== undefined) return { failure };
  if ('method' in message && message.method === 'initialize') {
    return { failure: { code: rpcCodes.unknownMethod, message: 'Method not found: initialize' } };
  }
  return { handshake: false, capabilities: envelope.capabilities, info: envelope.info };
}

function olderOpening(message: RpcMessage, params: Fields): ClientOpening {
  const said = 'method' in message && message.method === 'initialize' ? params : {};
  const { capabilities, clientInfo } = fieldsOf(said);
  return {
    handshake: true,
    capabilities: fieldsOf(capabilities),
    info: isFields(clientInfo) ? clientInfo : undefined,
  };
}

/** Returns why a request cannot be one of 2026-07-28; `undefined` if it can. */
export function envelopeFailure(params: unknown): RpcFailure | undefined {
  const envelope = readEnvelope(params);
  if (envelope === undefined) {
    return { code: rpcCodes.invalidParams, message: `The request has no ${metaNames.version} in its _meta` };
  }
  if (envelope.version === firstWithout) return undefined;
  return {
    code: rpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${envelope.version}`,
    data: { supported: [firstWithout], requested: envelope.version },
  };
}

/** Returns `initialize` with a revision that has a handshake: a client may ask by it for 2026-07-28, which has none. */
export function withOlderRevision(message: RpcRequest): RpcRequest {
  const requested = message.params?.['protocolVersion'];
  if (requested !== firstWithout) return message;
  return { ...message, params: { ...message.params, protocolVersion: lastWithHandshake } };
}

/** Whether the answer to `initialize` shows that the server knows only 2026-07-28. */
export function refusesHandshake(answer: RpcMessage): boolean {
  const { code, data } = fieldsOf(fieldsOf(answer)['error']);
  if (code === rpcCodes.unsupportedVersion) return true;
  const { supported } = fieldsOf(data);
  return Array.isArray(supported) && supported.length > 0 && supported.every((each) => each === firstWithout);
}

/** Asks a server for its era. */
export function discoverRequest(id: RpcId, { capabilities, info }: ClientOpening): RpcRequest {
  return {
    jsonrpc: '2.0',
    id,
    method: 'server/discover',
    params: withEnvelope(undefined, { capabilities, info }),
  };
}

/** Reads the answer to `server/discover`; `undefined` unless it is one of a server of 2026-07-28. */
export function readDiscovery(answer: RpcMessage): ServerOpening | undefined {
  const { supportedVersions, capabilities, instructions, _meta: meta } = fieldsOf(fieldsOf(answer)['result']);
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(firstWithout)) return undefined;
  const info = fieldsOf(meta)[metaNames.serverInfo];
  return serverOpening(capabilities, info, instructions);
}

/** Begins a connection to an older server in the name of a client of 2026-07-28. */
export function initializeRequest(id: RpcId, { capabilities, info }: ClientOpening): RpcRequest {
  const { name = 'unknown', version = 'unknown', ...rest } = fieldsOf(info);
  return {
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: {
      protocolVersion: lastWithHandshake,
      capabilities,
      clientInfo: { ...rest, name, version },
    },
  };
}

/** Reads the answer to `initialize`; `undefined` for an error. */
export function readInitialized(answer: RpcMessage): ServerOpening | undefined {
  const { result } = fieldsOf(answer);
  if (!isFields(result)) return undefined;
  const { capabilities, serverInfo, instructions } = result;
  return serverOpening(capabilities, serverInfo, instructions);
}

function serverOpening(capabilities: unknown, info: unknown, instructions: unknown): ServerOpening {
  return {
    capabilities: fieldsOf(capabilities),
    info: isFields(info) ? info : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

/** Answers `initialize` for a server of 2026-07-28: with the revision that the client asked for, if it is known. */
export function initializeResult(request: RpcRequest, server: ServerOpening): Fields {
  const requested = request.params?.['protocolVersion'];
  const known = revisions.find((revision) => revision === requested && hasHandshake(revision));
  return {
    protocolVersion: known ?? lastWithHandshake,
    capabilities: sharedCapabilities(server.capabilities),
    serverInfo: server.info ?? { name: 'unknown', version: 'unknown' },
    ...(server.instructions !== undefined && { instructions: server.instructions }),
  };
}

/** Answers `server/discover` for an older server. */
export function discoverResult(server: ServerOpening): Fields {
  const supportedVersions: readonly ProtocolRevision[] = [firstWithout];
  const { instructions } = server;
  const result = {
    supportedVersions,
    capabilities: sharedCapabilities(server.capabilities),
    ...(instructions !== undefined && { instructions }),
  };
  return toNewerResult('server/discover', result, server.info);
}

/** Whether a message is the `initialize` of a client. */
export function isInitialize(message: RpcMessage): message is RpcRequest {
  return 'method' in message && message.method === 'initialize' && isRequest(message);
}
