export type { RootsClient } from './expose/client-peer.ts';
export type { PermissionChange } from './store/change-permissions.ts';
export type {
  AskExposure,
  ConsentAnswer,
  ConsentReply,
  ExposureAnswer,
  ExposureQuestion,
} from './expose/roots-consent.ts';
export { expose } from './expose/expose.ts';
export type { ExposedStore, ExposeOptions, RootAvailability } from './expose/expose-options.ts';
export { toPolicyConfig } from './store/permissions-for.ts';
export { ProtocolError, toProtocolError } from './expose/client-peer.ts';
export { openRootStore } from './store/open-root-store.ts';
export type {
  NewRoot,
  RootPermissionChange,
  RootStore,
  RootStoreOptions,
  StoreListener,
} from './store/root-store.ts';
export {
  identifyServer,
  type ServerDescription,
  type ServerIdentity,
  type TrustTier,
} from './expose/server-identity.ts';
export type { StoreEvent } from './store/store-core.ts';
export { watchStore, type StoreWatch } from './watch/watch-roots.ts';
export type { Grant, RemovedRoot, StoredRoot, StoredServer, StoreSnapshot } from './store/stored-root.ts';
export { redactedKey, type WireRoot } from './expose/wire-root.ts';
export {
  candidateReasons,
  type Candidate,
  type CandidateReason,
  type CandidateReasonCode,
} from './discover/candidate.ts';
export {
  discover,
  type CandidateSearch,
  type DiscoverOptions,
  type DiscoverProgress,
} from './discover/discover.ts';
export { findRootIssues, type FindRootIssuesOptions, type RootEntry } from './discover/find-root-issues.ts';
export type { RootState, RootStatus } from './watch/liveness.ts';
export type { RootFinding, RootSeverity } from './discover/root-finding.ts';
export type { RootWatch, WatchRootsOptions } from './watch/watch-contract.ts';
export type { ContentChange, ContentOptions } from './watch/root-content.ts';
export { watchRoots } from './watch/watch-roots.ts';
