export { attach } from './attach.ts';
export type { AttachOptions, OperatorWord } from './attach-options.ts';
export type { CallContext } from './call-context.ts';
export type { CallWorkspace, NamedProject } from './call-workspace.ts';
export type { PathCheck } from './check-path.ts';
export { createMemory, type ConnectionMemory, type Remembered, type Switched } from './connection-memory.ts';
export {
  createConnectionStore,
  type ConnectionStore,
  type ConnectionStoreOptions,
} from './connection-store.ts';
export type { OwnToolName } from './own-tool-name.ts';
export { projectArgument, type OptionalText, type StringSchemas } from './project-argument.ts';
export type { AttachableServer } from './protocol-server.ts';
export { createWorkspaceKeeper, type WorkspaceKeeper } from './workspace-keeper.ts';
export type { Rootward, RootsChange, ViewOptions } from './rootward.ts';
export type { Trace, TracedConnection, TraceEvent } from './trace-event.ts';
export { refusalResult, type ToolResult } from './tool-result.ts';
