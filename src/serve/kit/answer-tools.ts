import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isObject } from '../../base/fields.ts';
import { escapeText } from '../../base/quote.ts';
import { isModern, lowServerOf } from '../../server/sdk/protocol-server.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { type CallResult, runTool } from '../../tools/tool/tool-call.ts';
import { limits } from '../../tools/tool/answer-limits.ts';
import type { StallWatch } from '../../tools/tool/stall-watch.ts';
import type { Tool, ToolAnnotations } from '../../tools/tool/tool.ts';

export interface ToolDescriptions {
  /** Called after a new composition, because the roots may differ from those in the descriptions. */
  readonly composed: () => Promise<void>;
}

/**
 * Lists the tools. Their descriptions name the roots as far as they are known, and listing asks the client
 * nothing. When the names change, a 2025 client is told to list the tools again. A client that will be asked later
 * gets no names yet, because they could change.
 */
export function answerTools(
  server: Server,
  rootward: Rootward,
  offered: () => readonly ToolListing[],
): ToolDescriptions {
  let announced: string | undefined;
  const place = async (): Promise<string> => {
    // A 2026 client may cache a list indefinitely and is told of changes only if it subscribed.
    if (isModern(lowServerOf(server))) return '';
    const roots = await rootward.roots().catch(() => []);
    if (rootward.contains(undefined, '/') === undefined) return '';
    return roots.length === 0 ? '' : ` Roots: ${roots.map(({ name }) => escapeText(name)).join(', ')}.`;
  };
  server.setRequestHandler('tools/list', async () => {
    const roots = await place();
    const tools = offered();
    announced = describe(roots, tools);
    return { tools: tools.map((tool) => withPlace(tool, roots)) };
  });
  return {
    async composed() {
      if (announced === undefined) return;
      const now = describe(await place(), offered());
      if (now === announced) return;
      announced = now;
      await server.sendToolListChanged().catch(() => undefined);
    },
  };
}

/** Adds the roots to the description of a tool. */
function withPlace(tool: ToolListing, roots: string): ToolListing {
  return { ...tool, description: `${tool.description}${roots}` };
}

/** Every part of a list that can change, as text. */
function describe(roots: string, tools: readonly ToolListing[]): string {
  return [roots, ...tools.map(({ name }) => name)].join('\n');
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
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

export function listTool({ name, title, description, input, output, annotations }: Tool): ToolListing {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations,
  };
}

/** Uses the JSON Schema draft that the validators of all clients support. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  return { ...z.toJSONSchema(schema, { target: 'draft-7', io }), type: 'object' };
}

/** Calls tools by name and parses their arguments with their schemas. */
export function answerToolCalls(
  server: Server,
  rootward: Rootward,
  { tools, stalls, underWay }: ToolAnswering,
): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    if (hasMoreValues(params.arguments, limits.values)) return { ...unreadable(params.name, [tooMany]) };
    const parsed = tool.input.safeParse(params.arguments ?? {});
    if (!parsed.success) return { ...unreadable(params.name, parsed.error.issues) };
    const answer = runTool(tool, parsed.data, { rootward, context, stalls });
    underWay.add(answer);
    try {
      return { ...(await answer) };
    } finally {
      underWay.delete(answer);
    }
  });
}

export interface ToolAnswering {
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
