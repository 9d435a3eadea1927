import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { type CallResult, runTool } from '../register-tools.ts';
import type { Rootward } from '../../server/rootward.ts';
import type { Tool } from '../tool.ts';

/** Calls tools by name, with what they were sent read by their schema. */
export function answerCalls(server: Server, rootward: Rootward, tools: ReadonlyMap<string, Tool>): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    const parsed = tool.input.safeParse(params.arguments ?? {});
    if (!parsed.success) return { ...unreadable(params.name, parsed.error.issues) };
    return { ...(await runTool(tool, parsed.data, { rootward, context })) };
  });
}

interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A model that sent the wrong arguments can read which, and try again. */
function unreadable(name: string, issues: readonly InputIssue[]): CallResult {
  const lines = issues.map(
    ({ path, message }) => `- ${path.map(String).join('.') || 'arguments'}: ${message}`,
  );
  const text = [`Input validation error: Invalid arguments for tool ${name}:`, ...lines].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}
