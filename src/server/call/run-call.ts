import type { AuditEntry } from '../../audit/entry.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import { RootwardError } from '../../errors.ts';
import { originOf } from '../connection/connection.ts';
import { cameOverHttp, sessionOf } from '../sdk/call-context.ts';
import type { HandlerCall, HandlerWrapper } from '../sdk/intercept-server.ts';
import { listWithProjectProperties, withProjectProperties } from '../sdk/project-properties.ts';
import {
  errorWithChanges,
  type OwnToolResult,
  refusalAsProtocolError,
  refusalResult,
  withChanges,
  withoutStructure,
} from '../settings/refusal-result.ts';
import { workspaceOf } from './call-workspace.ts';
import { Call } from './call.ts';
import { callScope, compositionFor } from './composition-for.ts';
import type { AttachedCore } from './core.ts';
import { describeIgnored, readArguments, type TakenArguments, withNotes } from './ignored-arguments.ts';
import { ownTools, withOwnTools } from './own-tools.ts';
import { withQuestions } from './rounds.ts';
import { type OwnToolCall, runOwnTool } from './run-own-tool.ts';

/**
 * Runs each handler as one call: it sees one workspace, its refusals are explained, its questions are sent. Every
 * call passes here, so it waits for nothing but the handler.
 */
export function createCallRunner(core: AttachedCore): HandlerWrapper {
  return (handlerCall) => {
    if (core.closed) return handlerCall.run();
    const call = begin(core, handlerCall);
    core.calls.add(call);
    return start(core, call, handlerCall).then(
      (result) => {
        end(core, call);
        if (!call.wasRefused) return complete(result, call);
        const told = complete(explain(core, { result, call, handlerCall }), call);
        return recordUnwritten(core, { result, call, handlerCall }).then(() => told);
      },
      (error: unknown) => {
        end(core, call);
        return complete(answerRefusal(core, { call, handlerCall }, error), call);
      },
    );
  };
}

/**
 * Records a refused tool call that got as far as no path: its project is not known. If that fails, the call is refused
 * all the same.
 */
async function recordUnwritten(
  core: AttachedCore,
  { result, call, handlerCall }: AnsweredCall,
): Promise<void> {
  const refusal = call.refusals.at(-1);
  const isRefused = handlerCall.method === 'tools/call' && fieldsOf(result)['isError'] === true;
  if (refusal === undefined || !isRefused || call.wasRecorded || call.waiting) return;
  const entry = namedRefusal(call, refusal, { path: call.argument ?? '.', rule: 'no-project' });
  try {
    await core.settings.audit.record(entry);
  } catch {
    // The client is refused already, and nothing was done.
  }
}

/** Adds what the caller has to know beside the result; usually nothing. */
function complete(answer: unknown, call: Call): unknown {
  const told = call.changed.length === 0 ? answer : withChanges(answer, call.changed);
  return call.notes.length === 0 ? told : withNotes(told, call.notes);
}

function begin(core: AttachedCore, handlerCall: HandlerCall): Call {
  const attachment = core.attachments.find(sessionOf(handlerCall.context));
  if (cameOverHttp(handlerCall.context)) attachment.connection.sawHttp();
  if (handlerCall.method !== 'tools/call') return new Call(attachment, handlerCall);
  const { name, arguments: input } = handlerCall.params;
  // `switch_project` has arguments of those names with another meaning.
  const isOwn = core.settings.tools.some((own) => own === name);
  const takesArgument = (core.settings.argument || isOwn) && name !== 'switch_project';
  const call = new Call(attachment, handlerCall, takesArgument ? ['cwd', 'project'] : []);
  const ignored = describeIgnoredBy(core, name, input);
  if (ignored !== undefined) call.note(ignored);
  if (takesArgument && namesTwo(fieldsOf(input))) call.note('ignored: project; cwd counts');
  return call;
}

function namesTwo({ cwd, project }: Fields): boolean {
  return (cwd ?? '') !== '' && (project ?? '') !== '' && cwd !== project;
}

function describeIgnoredBy(core: AttachedCore, name: unknown, input: unknown): string | undefined {
  if (typeof name !== 'string' || input === undefined) return undefined;
  const taken = core.takenArguments.get(name) ?? learnArguments(core, name);
  if (taken === undefined) return undefined;
  // Most calls have only arguments that their tool takes, and no nested ones.
  if (taken.isFlat && Object.keys(fieldsOf(input)).every((key) => taken.names.has(key))) return undefined;
  return describeIgnored(taken.schema, input);
}

function learnArguments(
  { settings, takenArguments }: AttachedCore,
  name: string,
): TakenArguments | undefined {
  const own = settings.tools.find((known) => known === name);
  const schema = own === undefined ? settings.inputs(name) : ownTools[own].inputSchema;
  if (schema === undefined) return undefined;
  const taken = readArguments(settings.argument ? withProjectProperties(schema) : schema);
  takenArguments.set(name, taken);
  return taken;
}

/** Starts the handler, which may throw before it returns a promise. */
function start(core: AttachedCore, call: Call, handlerCall: HandlerCall): Promise<unknown> {
  try {
    call.checkArgument();
    const { modern } = call.connection;
    const running = modern ? runInRounds(core, call, handlerCall) : runHandler(core, call, handlerCall);
    return running instanceof Promise ? running : Promise.resolve(running);
  } catch (error) {
    return refuseArgument(core, call, error);
  }
}

/** A project that is not a text is refused before anything else looks at the call. */
async function refuseArgument(core: AttachedCore, call: Call, error: unknown): Promise<never> {
  if (RootwardError.is(error, 'INVALID_PATH'))
    await core.settings.audit.record(namedRefusal(call, error, { path: error.data.path }));
  throw error;
}

function end(core: AttachedCore, call: Call): void {
  call.end();
  core.calls.remove(call);
}

/** From 2026-07-28 on: open questions must be answered first, whatever the handler returned. */
async function runInRounds(core: AttachedCore, call: Call, handlerCall: HandlerCall): Promise<unknown> {
  if (call.mayAsk && (await needsAnswerFirst(core, call, handlerCall))) return withQuestions(undefined, call);
  return withQuestions(await runHandler(core, call, handlerCall), call);
}

/** Asks before the handler starts, so that it runs once. */
async function needsAnswerFirst(
  core: AttachedCore,
  call: Call,
  { method, params }: HandlerCall,
): Promise<boolean> {
  const name = params['name'] ?? params['uri'];
  if (!core.settings.preflight(method, typeof name === 'string' ? name : undefined)) return false;
  // The handler will see the error itself.
  await workspaceOf(core, call).catch(() => undefined);
  return call.waiting;
}

function runHandler(core: AttachedCore, call: Call, handlerCall: HandlerCall): unknown {
  if (handlerCall.method === 'tools/list') return listTools(core, call, handlerCall);
  if (handlerCall.method !== 'tools/call') return handlerCall.run();
  const { name, arguments: input } = handlerCall.params;
  const own = core.settings.tools.find((known) => known === name);
  if (own !== undefined) return runOwn(core, call, { name: own, input: fieldsOf(input) });
  return call.argument === undefined ? handlerCall.run() : runInNamed(core, call, handlerCall);
}

/** Our tools explain a project that they cannot have, and the refusal is recorded too. */
async function runOwn(core: AttachedCore, call: Call, ownCall: OwnToolCall): Promise<OwnToolResult> {
  if (call.argument !== undefined) await recordIfRefused(core, call);
  return structured(call, await runOwnTool(core, call, ownCall));
}

/** Refuses a call that names a project it cannot have before its tool starts, absolute paths included. */
async function runInNamed(core: AttachedCore, call: Call, handlerCall: HandlerCall): Promise<unknown> {
  const error = await recordIfRefused(core, call);
  if (error !== undefined) throw error;
  return handlerCall.run();
}

/** No tool reaches a file then, so that nothing else records the refusal. */
async function recordIfRefused(core: AttachedCore, call: Call): Promise<RootwardError | undefined> {
  const { composition } = await compositionFor(callScope(core, call), call);
  const { error, open } = composition;
  if (error !== undefined)
    await core.settings.audit.record(namedRefusal(call, error, { revision: open.revision }));
  return error;
}

interface RefusedLookup {
  readonly path?: string;
  readonly revision?: number;
  readonly rule?: string;
}

function namedRefusal(
  call: Call,
  { code, message }: RootwardError,
  { path = call.argument ?? '', revision = 0, rule = 'project-argument' }: RefusedLookup,
): AuditEntry {
  const { connection, incoming, tool } = call;
  return {
    time: new Date().toISOString(),
    ...originOf(connection, incoming),
    ...(tool !== undefined && { tool }),
    operation: 'list',
    path,
    verdict: 'deny',
    rule,
    reason: message,
    outcome: 'refused',
    code,
    duration: 0,
    revision,
  };
}

/** Leaves out what the client's revision does not have. */
function structured({ connection }: Call, result: OwnToolResult): OwnToolResult {
  return connection.takesStructured ? result : withoutStructure(result);
}

async function listTools(core: AttachedCore, call: Call, handlerCall: HandlerCall): Promise<unknown> {
  const result = await handlerCall.run();
  core.outputSchemas.note(result);
  const { tools, argument } = core.settings;
  const all = tools.length === 0 ? result : withOwnTools(result, tools, call.connection.takesStructured);
  return argument ? listWithProjectProperties(all) : all;
}

/** Restores the hint and the data of a refusal, which `McpServer` reduces to its message. */
function explain(core: AttachedCore, { result, call, handlerCall }: AnsweredCall): unknown {
  const { isError, content } = fieldsOf(result);
  if (isError !== true || !Array.isArray(content)) return result;
  const { text } = fieldsOf(content[0]);
  const refusal = call.refusals.findLast(({ message }) => message === text);
  return refusal === undefined ? result : refuseTool(core, { call, handlerCall }, refusal);
}

/** Turns a refusal that a handler throws into a result. */
function answerRefusal(
  core: AttachedCore,
  { call, handlerCall }: Omit<AnsweredCall, 'result'>,
  error: unknown,
): unknown {
  if (call.waiting) return withQuestions(undefined, call);
  if (!RootwardError.is(error)) throw errorWithChanges(error, call.changed);
  if (handlerCall.method === 'tools/call') return refuseTool(core, { call, handlerCall }, error);
  throw errorWithChanges(refusalAsProtocolError(error), call.changed);
}

interface AnsweredCall {
  readonly result: unknown;
  readonly call: Call;
  readonly handlerCall: HandlerCall;
}

function refuseTool(
  core: AttachedCore,
  { call, handlerCall }: Omit<AnsweredCall, 'result'>,
  error: RootwardError,
): unknown {
  const { name } = handlerCall.params;
  const isOwn = core.settings.tools.some((own) => own === name);
  return structured(call, refusalResult(error, { hasOutputSchema: !isOwn && core.outputSchemas.has(name) }));
}
