import { RootwardError } from '../errors.ts';
import { Call } from './call.ts';
import { fieldsOf, cameOverHttp, sessionOf, signalOf } from './call-context.ts';
import type { Core } from './core.ts';
import { workspaceOf } from './create-rootward.ts';
import { isOwnToolName } from './own-tool-name.ts';
import { ownTools } from './own-tools.ts';
import type { WireRequest } from './protocol-server.ts';
import { withQuestions } from './rounds.ts';
import { runOwnTool } from './run-own-tool.ts';
import { refusalAsProtocolError, refusalResult } from './tool-result.ts';

/** A request that arrived, and the handler that waits for it. */
export interface Arrival {
  readonly request: WireRequest;
  readonly context: unknown;
  readonly run: () => unknown;
}

/** Runs a handler as one call: it sees one workspace, its refusals are explained, its questions are put. */
export async function runCall(core: Core, arrival: Arrival): Promise<unknown> {
  if (core.closed()) return arrival.run();
  const signal = signalOf(arrival.context);
  const call = begin(core, arrival);
  if (signal !== undefined) core.calls.add(signal, call);
  try {
    const modern = call.mayAsk && call.connection.modern;
    if (modern && (await needsAnswerFirst(core, call, arrival.request)))
      return withQuestions(undefined, call);
    const result = await runHandler(core, call, arrival);
    return withQuestions(explain(core, { result, call, request: arrival.request }), call);
  } catch (error) {
    if (call.waiting) return withQuestions(undefined, call);
    if (!RootwardError.is(error)) throw error;
    if (arrival.request.method === 'tools/call') return refuseTool(core, arrival.request, error);
    throw refusalAsProtocolError(error);
  } finally {
    call.end();
    if (signal !== undefined) core.calls.remove(signal);
  }
}

function begin(core: Core, { request, context }: Arrival): Call {
  const attachment = core.attachments.find(sessionOf(context));
  if (cameOverHttp(context)) attachment.connection.sawHttp();
  // Ours has an argument of that name, and it means something else.
  const takesArgument = core.settings.argument && request.params?.['name'] !== 'switch_project';
  return new Call({ attachment, request, context, takesArgument });
}

/** Puts the questions before the handler begins, so that it begins once. */
async function needsAnswerFirst(core: Core, call: Call, { method, params }: WireRequest): Promise<boolean> {
  const name = params?.['name'] ?? params?.['uri'];
  if (!core.settings.preflight(method, typeof name === 'string' ? name : undefined)) return false;
  // What it comes to, the handler finds out for itself.
  await workspaceOf(core, call).catch(() => undefined);
  return call.waiting;
}

/** Waits for nothing itself: every call pays for what stands here. */
function runHandler(core: Core, call: Call, { request, run }: Arrival): unknown {
  const { tools } = core.settings;
  const name = request.params?.['name'];
  if (request.method === 'tools/call' && isOwnToolName(name) && tools.includes(name))
    return runOwnTool(core, call, { name, input: fieldsOf(request.params?.['arguments']) });
  return request.method === 'tools/list' ? listTools(core, run) : run();
}

async function listTools(core: Core, run: () => unknown): Promise<unknown> {
  const result = await run();
  core.outputSchemas.note(result);
  return core.settings.tools.length === 0 ? result : withOwnTools(result, core);
}

/** Ours stand on the last page, and replace others of their name. */
function withOwnTools(result: unknown, { settings }: Core): unknown {
  const { tools, nextCursor } = fieldsOf(result);
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const others = listed.filter((tool) => !settings.tools.some((name) => name === fieldsOf(tool)['name']));
  const own = nextCursor === undefined ? settings.tools.map((name) => ownTools[name]) : [];
  return { ...fieldsOf(result), tools: [...others, ...own] };
}

/** An `McpServer` turns what a tool throws into its message alone; the hint and the data belong to it. */
function explain(core: Core, { result, call, request }: Answered): unknown {
  const { isError, content } = fieldsOf(result);
  if (isError !== true || !Array.isArray(content)) return result;
  const { text } = fieldsOf(content[0]);
  const refusal = call.refusals.findLast(({ message }) => message === text);
  return refusal === undefined ? result : refuseTool(core, request, refusal);
}

interface Answered {
  readonly result: unknown;
  readonly call: Call;
  readonly request: WireRequest;
}

function refuseTool(core: Core, { params }: WireRequest, error: RootwardError): unknown {
  const name = params?.['name'];
  return refusalResult(error, { hasOutputSchema: !isOwnToolName(name) && core.outputSchemas.has(name) });
}
