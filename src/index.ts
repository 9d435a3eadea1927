export { access, type AccessScope } from './access.ts';
export { combineSinks } from './audit/sink.ts';
export { describeEntry } from './audit/stderr-sink.ts';
export { formatEntry, parseEntry, type AuditEntry, type Outcome } from './audit/entry.ts';
export { openFileSink, type FileSinkOptions } from './audit/file-sink.ts';
export { createMemorySink, type MemorySink, type MemorySinkOptions } from './audit/sink.ts';
export { readLog, type LogEntries, type ReadLogOptions } from './audit/read-log.ts';
export { redact, type RedactOptions } from './audit/redact.ts';
export type { AuditSink } from './audit/sink.ts';
export { createStderrSink } from './audit/stderr-sink.ts';
export { errorCodes, RootwardError, type ErrorCode, type ErrorData } from './errors.ts';
export type { AppendOptions } from './boundary/write/append.ts';
export { Boundary, type IntoOptions } from './boundary/boundary.ts';
export type { BoundaryLimits, Guard } from './boundary/step/context.ts';
export type { CopyOptions } from './boundary/write/copy.ts';
export type { EntryKind, FileInfo } from './boundary/system/file-info.ts';
export type { FileReader } from './boundary/read/file-reader.ts';
export type { BoundaryLevel } from './boundary/system/driver.ts';
export type { ListedEntry, Listing, ListOptions } from './boundary/read/list.ts';
export type { LogFile } from './boundary/write/log-file.ts';
export type { MakeDirectoryOptions } from './boundary/write/make-directory.ts';
export { openBoundary, type BoundaryOptions } from './boundary/open-boundary.ts';
export type { Operation } from './boundary/step/operation.ts';
export type { ByteRange, ReadOptions, ReadTextOptions } from './boundary/read/read.ts';
export type { RemoveOptions } from './boundary/write/remove.ts';
export type { RenameOptions } from './boundary/write/rename.ts';
export type { Walk, WalkEntry, WalkOptions } from './boundary/read/walk.ts';
export type { WatchEvent, WatchOptions } from './boundary/read/watch.ts';
export type { WriteOptions } from './boundary/write/write.ts';
export { parseFileUri, toFileUri, type FileUriOptions } from './path/file-uri.ts';
export type { NameRules } from './path/fold.ts';
export { compileGlobs, type GlobSet } from './path/glob.ts';
export { isInside } from './path/inside.ts';
export { locate, type LocatedPath } from './path/locate.ts';
export { hostPlatform, type Platform } from './path/platform.ts';
export type { RootUriOptions } from './path/read-root-uri.ts';
export { createRootIndex, type Placement, type RootIndex } from './path/root-index.ts';
export type { RootIssue, RootIssueCode, RootIssueEffect } from './path/root-issue.ts';
export { parseRoot, parseRoots, type ParsedRoot, type ParsedRoots, type Root } from './path/root.ts';
export {
  createStepGuard,
  decide,
  type AccessRequest,
  type PolicyLocation,
  type StepGuard,
} from './policy/decide.ts';
export type { Decision } from './policy/decision.ts';
export { merge, type Merged } from './policy/merge.ts';
export type { MergeMode } from './policy/merge.ts';
export { parsePolicy, type Policy } from './policy/rules/policy.ts';
export type { PolicyConfig } from './policy/rules/policy-config.ts';
export type { AskConsent, Asking, ConsentQuestion } from './policy/settle.ts';
export { formatTruthTable, truthTable, type TruthTableRow } from './policy/truth-table.ts';
export { answerList, type RootsAnswer } from './workspace/sources/roots-answer.ts';
export {
  openWorkspace,
  type Location,
  type OpenRoot,
  type Workspace,
  type WorkspaceOptions,
} from './workspace/workspace.ts';
export type { ResolveOptions } from './workspace/chain/chain-context.ts';
export { detectProject, type DetectProjectOptions } from './workspace/project/detect-project.ts';
export { loadProfiles } from './workspace/profiles/load-profiles.ts';
export { parseProfiles } from './workspace/profiles/parse-profiles.ts';
export type { Profile } from './workspace/sources/profile.ts';
export type { Project, ProjectKind } from './workspace/project/project.ts';
export type { Resolution, TrailStep } from './workspace/chain/resolution.ts';
export { resolveWorkspace } from './workspace/chain/resolve-workspace.ts';
export type { SourceName } from './workspace/sources/all-sources.ts';
export type { ClientIdentity, Signals } from './workspace/sources/root-source.ts';
export type { Trust } from './workspace/sources/trust.ts';
export {
  findProjects,
  type FindProjectsOptions,
  type ProjectSearch,
} from './workspace/project/find-projects.ts';
export type { FoundProject } from './workspace/project/project.ts';
