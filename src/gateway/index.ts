export {
  createGateway,
  type Gateway,
  type GatewayConnection,
  type GatewayOptions,
} from './create-gateway.ts';
export type { ToolRules } from './calls/tool-rules.ts';
export type { ClientStreams } from './relay/client-link.ts';
export type { UpstreamEnd } from './upstream/upstream.ts';
export type { MappedPlace, MappingSource, PathMap, PathMapping } from './map/path-map.ts';
