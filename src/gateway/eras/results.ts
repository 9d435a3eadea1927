import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { metaNames, withMeta, withoutEnvelope } from './envelope.ts';
import { rpcCodes } from './step.ts';

/** Methods whose results say in 2026-07-28 for how long they may be kept. */
const keepable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

/** Makes a result of 2026-07-28 fit an older client. Nothing is validated. */
export function toOlderResult(method: string, result: unknown): Fields {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = withoutEnvelope(result);
  if (method === 'tools/list') return mapTools(rest, withObjectOutput);
  if (method !== 'tools/call' || isFields(rest['structuredContent'])) return rest;
  const { structuredContent: _content, ...others } = rest;
  return others;
}

/** Makes a result of an older server fit a client of 2026-07-28. It is never kept: the old server may change it. */
export function toNewerResult(method: string, result: unknown, serverInfo?: Fields): Fields {
  const whole = {
    ...withoutEnvelope(result),
    resultType: 'complete',
    ...(keepable.has(method) && { ttlMs: 0, cacheScope: 'private' }),
  };
  const fitting = method === 'tools/list' ? mapTools(whole, withoutTasks) : whole;
  return serverInfo === undefined ? fitting : withMeta(fitting, metaNames.serverInfo, serverInfo);
}

/** An older server says "resource not found" with a code that 2026-07-28 no longer has. */
export function toNewerError(error: unknown): Fields {
  const given = fieldsOf(error);
  return given['code'] === rpcCodes.resourceNotFound ? { ...given, code: rpcCodes.invalidParams } : given;
}

/** Capabilities of a server without those that only its own era has. */
export function sharedCapabilities(capabilities: unknown): Fields {
  const { tasks: _tasks, extensions: _extensions, ...shared } = fieldsOf(capabilities);
  return shared;
}

function mapTools(result: Fields, change: (tool: Fields) => Fields): Fields {
  const { tools } = result;
  if (!Array.isArray(tools)) return result;
  return { ...result, tools: tools.map((tool: unknown) => (isFields(tool) ? change(tool) : tool)) };
}

/** Older revisions describe an output by a schema for objects; a client refuses the whole list for any other. */
function withObjectOutput(tool: Fields): Fields {
  const { outputSchema, ...rest } = tool;
  return fieldsOf(outputSchema)['type'] === 'object' ? tool : rest;
}

function withoutTasks(tool: Fields): Fields {
  const { execution: _execution, ...rest } = tool;
  return rest;
}
