import { z } from 'zod';
import { type Fields, fieldsOf, isFields, isObject } from '../../base/fields.ts';
import { RecentMap } from '../../base/recent-map.ts';
import { type CallContext, readContext } from '../../server/sdk/call-context.ts';
import { envelopeKeys, lowServerOf, takesStructured } from '../../server/sdk/protocol-server.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { type CallResult, runTool } from '../../tools/tool/tool-call.ts';
import { type AnswerForm, hasOutputSchema, referenceForm, usualForm } from '../../tools/tool/answer.ts';
import { limits } from '../../tools/tool/answer-limits.ts';
import type { StallWatch } from '../../tools/tool/stall-watch.ts';
import type { Tool, ToolAnnotations } from '../../tools/tool/tool.ts';
import { allProfiles } from '../../workspace/profiles/all-profiles.ts';
import { findProfile } from '../../workspace/sources/profile.ts';
import { faultCodes, type KitServer, ProtocolFault } from './kit-server.ts';

export interface ToolWatch {
  /** Called after a new composition, because the person may allow more or less since the last list. */
  readonly composed: () => Promise<void>;
}

/**
 * Lists the tools. The list depends on what can be allowed and on the client's revision, never on the roots: a client
 * need not list the tools again when those change.
 */
export function answerTools(server: KitServer, { offered, form }: ListedTools): ToolWatch {
  let announced: string | undefined;
  server.setRequestHandler('tools/list', (_request, context) => {
    const tools = offered();
    announced = namesOf(tools);
    return { tools: tools.map((tool) => listTool(tool, form(context))) };
  });
  return {
    async composed() {
      if (announced === undefined) return;
      const now = namesOf(offered());
      if (now === announced) return;
      announced = now;
      await server.sendToolListChanged().catch(() => undefined);
    },
  };
}

/** The tools of a server, and the form in which each client gets them. */
export interface ListedTools {
  readonly offered: () => readonly PreparedTool[];
  readonly form: (context: CallContext) => AnswerForm;
}

/** The operator's settings for answers. */
export interface AnswerSettings {
  /** Sends what the reference server sends. */
  readonly compat?: boolean;
  /** Characters of text in one result, for every client. */
  readonly maxAnswer?: number;
}

/**
 * The form of answers for the client of a request: the operator's setting, else what is known of the client, else what
 * suits most. A revision without structured content gets none.
 */
export function createAnswerForms(server: KitServer, settings: AnswerSettings): ListedTools['form'] {
  const known = new RecentMap<string, AnswerForm>();
  return (context) => {
    const revision = server.getNegotiatedProtocolVersion() ?? '';
    const client = clientIn(server, context);
    const key = `${revision} ${client}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const form = formFor(server, client, settings);
    known.set(key, form);
    known.trim(mostForms);
    return form;
  };
}

/** Limit of clients whose form is remembered; over HTTP a server meets many. */
const mostForms = 64;

function formFor(
  server: KitServer,
  client: string | undefined,
  { compat, maxAnswer }: AnswerSettings,
): AnswerForm {
  const form = compat === true ? referenceForm : { ...usualForm, ...sizeFor(client) };
  return {
    structured: takesStructured(lowServerOf(server)) ? form.structured : 'none',
    maxAnswer: Math.max(leastAnswer, maxAnswer ?? form.maxAnswer),
  };
}

/** A shorter answer could not say how to go on. */
const leastAnswer = 1_000;

function sizeFor(client: string | undefined): Partial<AnswerForm> {
  const { maxAnswer } = findProfile(allProfiles, client) ?? {};
  return maxAnswer === undefined ? {} : { maxAnswer };
}

/** The name of the client. From 2026-07-28 on, each request has it. */
function clientIn(server: KitServer, context: CallContext): string | undefined {
  const { envelope } = readContext(context);
  const { name } = fieldsOf(envelope[envelopeKeys.client] ?? server.getClientVersion());
  return typeof name === 'string' ? name : undefined;
}

function namesOf(tools: readonly PreparedTool[]): string {
  return tools.map(({ tool }) => tool.name).join('\n');
}

interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: 'object';
}

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** A tool with its schemas, which are the same for every client. */
export interface PreparedTool {
  readonly tool: Tool;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
}

/** The schemas are made when they are first needed: a start does not wait for those of every tool. */
export function prepareTool(tool: Tool): PreparedTool {
  let input: ObjectSchema | undefined;
  let output: ObjectSchema | undefined;
  return {
    tool,
    get inputSchema() {
      return (input ??= schemaOf(tool.input, 'input'));
    },
    get outputSchema() {
      return (output ??= schemaOf(tool.output, 'output'));
    },
  };
}

function listTool(prepared: PreparedTool, form: AnswerForm): ToolListing {
  const { tool, inputSchema } = prepared;
  const { name, title, description, annotations } = tool;
  const output = hasOutputSchema(tool, form) ? { outputSchema: prepared.outputSchema } : {};
  return { name, title, description, inputSchema, ...output, annotations };
}

/**
 * Uses keywords that every client accepts: some refuse a schema with `$schema`. No input is an object without
 * properties, which some refuse too, because every tool takes the project of the call.
 */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _draft, ...keywords } = z.toJSONSchema(schema, { target: 'draft-7', io });
  return { ...keywords, type: 'object' };
}

/** Calls tools by name and parses their arguments with their schemas. */
export function answerToolCalls(server: KitServer, rootward: Rootward, answering: ToolAnswering): void {
  const { tools, stalls, underWay, form } = answering;
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, input } = calledTool(fieldsOf(params));
    const tool = tools.get(name);
    if (tool === undefined) throw new ProtocolFault(faultCodes.invalidParams, `Tool ${name} not found`);
    if (hasMoreValues(input, limits.values)) return { ...unreadable(name, [tooMany]) };
    const parsed = tool.input.safeParse(input);
    if (!parsed.success) return { ...unreadable(name, parsed.error.issues) };
    const answer = runTool(tool, parsed.data, { rootward, context, stalls, form: form(context) });
    underWay.add(answer);
    try {
      return { ...(await answer) };
    } finally {
      underWay.delete(answer);
    }
  });
}

/** The parameters of `tools/call`. */
function calledTool({ name, arguments: input = {} }: Fields): { name: string; input: Fields } {
  if (typeof name === 'string' && isFields(input)) return { name, input };
  const fault = typeof name === 'string' ? 'arguments is not an object' : 'name is not a text';
  throw new ProtocolFault(faultCodes.invalidParams, `Invalid tools/call request: ${fault}`);
}

export interface ToolAnswering extends Pick<ListedTools, 'form'> {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly stalls: StallWatch;
  /** Holds every call until it has ended. */
  readonly underWay: Set<Promise<unknown>>;
}

const tooMany: InputIssue = { path: [], message: `there are more than ${limits.values} values in them` };

/** Whether a value contains more than `most` values. Checked first, because parsing visits every one. */
function hasMoreValues(value: unknown, most: number): boolean {
  const left: unknown[] = [value];
  for (let seen = 0; left.length > 0; seen += 1) {
    if (seen + left.length > most) return true;
    const next = left.pop();
    if (isObject(next)) for (const item of Object.values(next)) left.push(item);
  }
  return false;
}

/** Limit of reported problems. */
const mostIssues = 20;

interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Tells the model which arguments are wrong, so that it can try again. */
function unreadable(name: string, issues: readonly InputIssue[]): CallResult {
  const lines = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => `- ${path.map(String).join('.') || 'arguments'}: ${message}`);
  const text = [`Input validation error: Invalid arguments for tool ${name}:`, ...lines].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}
