import { basename } from 'node:path';
import { access } from '../access.ts';
import { createMemorySink, type MemorySink } from '../audit/sink.ts';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import type { PolicyConfig } from '../policy/rules/policy-config.ts';
import { parsePolicy } from '../policy/rules/policy.ts';
import { projectFirst } from '../server/create-rootward.ts';
import { checkAccess } from '../server/settings/path-check.ts';
import { createReach } from '../tools/tool/tool-call.ts';
import type { Tool, ToolCall, ToolResult } from '../tools/tool/tool.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface ToolCallOptions {
  readonly policy?: PolicyConfig;
  readonly signal?: AbortSignal;
  /** Characters of a result; as many as a message can hold by default. */
  readonly room?: number;
}

/** A tool call on real roots, without a server. */
export interface OpenToolCall extends ToolCall, AsyncDisposable {
  readonly audit: MemorySink;
  /** Progress messages, in order. */
  readonly reports: readonly string[];
  /** Runs a tool as a server would, and checks its input and output against the schemas. */
  run(tool: Tool, input?: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  close(): Promise<void>;
}

/**
 * Opens directories as the roots of one call. The first one is the project. Everything is allowed unless a policy
 * is given.
 *
 * @example
 * ```ts
 * const call = await openToolCall([process.cwd()]);
 * const size = ({ boundary, relative }) => boundary.stat(relative).then((info) => info.size > 0);
 * await call.access({ operation: 'read', path: 'LICENSE' }, size) // → true
 * await call.close();
 * ```
 */
export async function openToolCall(
  paths: readonly string[],
  {
    policy: config = everything,
    signal = new AbortController().signal,
    room = Number.MAX_SAFE_INTEGER,
  }: ToolCallOptions = {},
): Promise<OpenToolCall> {
  const { roots } = parseRoots(paths.map((path) => ({ uri: toFileUri(path) })));
  const opened = await openWorkspace(roots);
  const workspace = projectFirst(opened, paths[0] ?? '');
  const policy = parsePolicy(config);
  const audit = createMemorySink();
  const reports: string[] = [];
  const close = (): Promise<void> => workspace.close();
  const scope = { workspace, policy, audit, signal };
  const reachable: ToolCall['access'] = (request, act) => access(scope, request, act);
  const call: ToolCall = {
    workspace: async () => describe(workspace, paths[0] ?? ''),
    access: reachable,
    reach: createReach(reachable),
    check: (request) => checkAccess({ workspace, policy, audit }, request),
    room,
    signal,
    progress: (_done, _total, message = '') => void reports.push(message),
  };
  return {
    ...call,
    audit,
    reports,
    run: (tool, input = {}) => run(tool, input, call),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const everything: PolicyConfig = { allow: ['read', 'list', 'write', 'remove'], secrets: false };

function describe(
  { roots, issues }: Workspace,
  location: string,
): Awaited<ReturnType<ToolCall['workspace']>> {
  return {
    project: { name: basename(location), location, id: location, kind: 'directory', markers: [] },
    roots: roots.map(({ root }) => root),
    source: 'operator',
    confidence: 'certain',
    trail: [],
    issues,
    why: 'the test says so',
    revision: 1,
  };
}

async function run(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<ToolResult> {
  const result = await tool.run(tool.input.parse(input), call);
  tool.output.strict().parse(result.structuredContent);
  return result;
}
