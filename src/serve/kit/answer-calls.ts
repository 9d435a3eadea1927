import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { type CallResult, runTool } from '../../tools/register-tools.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { limits } from '../../tools/tool/answer-limits.ts';
import type { StallWatch } from '../../tools/tool/stall-watch.ts';
import type { Tool } from '../../tools/tool/tool.ts';

/** Calls tools by name, with what they were sent read by their schema. */
export function answerCalls(server: Server, rootward: Rootward, { tools, stalls }: Answering): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    if (hasMoreValues(params.arguments, limits.values)) return { ...unreadable(params.name, [tooMany]) };
    const parsed = tool.input.safeParse(params.arguments ?? {});
    if (!parsed.success) return { ...unreadable(params.name, parsed.error.issues) };
    return { ...(await runTool(tool, parsed.data, { rootward, context, stalls })) };
  });
}

export interface Answering {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly stalls: StallWatch;
}

const tooMany: InputIssue = { path: [], message: `there are more than ${limits.values} values in them` };

/** Whether there is more in a value than so many values: whoever compares them with a schema looks at every one. */
function hasMoreValues(value: unknown, most: number): boolean {
  const left: unknown[] = [value];
  for (let seen = 0; left.length > 0; seen += 1) {
    if (seen + left.length > most) return true;
    const next = left.pop();
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) left.push(item);
  }
  return false;
}

/** More than these are of no help. */
const mostIssues = 20;

interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A model that sent the wrong arguments can read which, and try again. */
function unreadable(name: string, issues: readonly InputIssue[]): CallResult {
  const lines = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => `- ${path.map(String).join('.') || 'arguments'}: ${message}`);
  const text = [`Input validation error: Invalid arguments for tool ${name}:`, ...lines].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}
