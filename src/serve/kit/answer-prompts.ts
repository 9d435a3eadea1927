import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { escapeText, quote } from '../../base/quote.ts';
import type { Rootward } from '../../server/settings/rootward.ts';

const prompt = {
  name: 'get_to_know_this_project',
  title: 'Get to know this project',
  description: 'Looks at what the project is, how it is built and tested, and where things are.',
} as const;

/** One prompt: what a person new to a project would ask for first. */
export function answerPrompts(server: Server, rootward: Rootward): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [prompt] }));
  server.setRequestHandler('prompts/get', async ({ params: { name } }, context) => {
    if (name !== prompt.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`);
    const { project, roots } = await rootward.workspace(context);
    const text = [
      `Get to know the project ${quote(project.name)}.`,
      `1. Call project_info and build_config: what it is, and how it is built, tested and run.`,
      `2. Call find_docs, and read the README and what it points to.`,
      `3. Call directory_tree on the parts that matter, and read their entry points.`,
      `Then tell me in a page: what it does, how it is arranged, how to work on it, and what is unusual.`,
      `Roots: ${roots.map((root) => escapeText(root.name)).join(', ')}.`,
    ].join('\n');
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
