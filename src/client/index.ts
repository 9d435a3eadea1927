export type { RootsClient } from './client-peer.ts';
export type { PermissionChange } from './change-permissions.ts';
export type { AskExposure, ConsentAnswer, ConsentReply, ExposureQuestion } from './consent.ts';
export { expose } from './expose.ts';
export type { ExposedStore, ExposeOptions, RootAvailability } from './expose-options.ts';
export { toPolicyConfig } from './permissions-for.ts';
export { ProtocolError, toProtocolError } from './protocol-error.ts';
export { openRootStore } from './open-root-store.ts';
export type {
  NewRoot,
  RootPermissionChange,
  RootStore,
  RootStoreOptions,
  StoreListener,
} from './root-store.ts';
export {
  identifyServer,
  type ServerDescription,
  type ServerIdentity,
  type TrustTier,
} from './server-identity.ts';
export type { StoreEvent } from './store-core.ts';
export { watchStore, type StoreWatch } from './store-watch.ts';
export type { Grant, RemovedRoot, StoredRoot, StoredServer, StoreSnapshot } from './stored-root.ts';
export { redactedKey, type WireRoot } from './wire-root.ts';
export {
  candidateReasons,
  type Candidate,
  type CandidateReason,
  type CandidateReasonCode,
} from './candidate.ts';
export { discover, type CandidateSearch, type DiscoverOptions, type DiscoverProgress } from './discover.ts';
export { findRootIssues, type FindRootIssuesOptions, type RootEntry } from './find-root-issues.ts';
export type { RootState, RootStatus } from './liveness.ts';
export type { RootFinding, RootSeverity } from './root-finding.ts';
export type { RootWatch, WatchRootsOptions } from './watch-contract.ts';
export type { ContentChange, ContentOptions } from './watch-root-content.ts';
export { watchRoots } from './watch-roots.ts';
