export { attach } from './attach.ts';
export type {
  AttachOptions,
  OperatorWord,
  OwnToolName,
  SwitchAsking,
  SwitchQuestion,
} from './settings/attach-options.ts';
export type { CallContext } from './sdk/call-context.ts';
export type { CallWorkspace, NamedProject } from './settings/rootward.ts';
export type { PathCheck } from './settings/path-check.ts';
export type { ChosenProject, ProjectChoices } from './settings/chosen-project.ts';
export {
  createMemory,
  type ConnectionMemory,
  type Remembered,
  type Switched,
} from './connection/connection-memory.ts';
export {
  createConnectionStore,
  type ConnectionStore,
  type ConnectionStoreOptions,
} from './connection/connection-memory.ts';
export { projectArgument, type OptionalText, type StringSchemas } from './project-argument.ts';
export type { AttachableServer } from './sdk/protocol-server.ts';
export { createWorkspaceKeeper, type WorkspaceKeeper } from './compose/workspace-keeper.ts';
export type { Rootward, RootsChange, ViewOptions } from './settings/rootward.ts';
export type { Trace, TracedConnection, TraceEvent } from './settings/trace-event.ts';
export { refusalResult, type OwnToolResult as ToolResult } from './settings/refusal-result.ts';
