export { asksIn } from './raw-peer.ts';
export {
  connectPair,
  type Connectable,
  type Pair,
  type PairParts,
  type ServedPairParts,
} from './connect-pair.ts';
export type { Ask, DifficultClient, Move } from './difficult-client.ts';
export { difficultClients, type DifficultClientName } from './difficult-clients.ts';
export { linkWires, type LinkedWires } from './wires.ts';
export { playClient, type AskReport, type CallReport, type Player, type PlayOptions } from './play-client.ts';
export { probeServer, type Probe, type ProbeReport } from './probe-server.ts';
export type { PeerReply as Reply } from './raw-peer.ts';
export type { Exit, ServerCommand } from './stdio-wire.ts';
export { tempTree, type TempTree } from './temp-tree.ts';
export type { Wire, WireMessage, WireRecord } from './wires.ts';
