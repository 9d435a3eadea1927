import { fieldsOf } from '../../base/fields.ts';
import { escapeJson, escapeText, quote } from '../../base/quote.ts';
import type { CallContext } from '../../server/sdk/call-context.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { faultCodes, type KitServer, ProtocolFault } from './kit-server.ts';

interface OwnResource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly read: (rootward: Rootward, context: CallContext) => Promise<unknown>;
}

const mimeType = 'application/json';

const resources: Readonly<Record<string, OwnResource>> = {
  'rootward://roots': {
    name: 'roots',
    title: 'Roots',
    description: 'The directories and files that may be reached, and why these.',
    async read(rootward, context) {
      const { roots, why } = await rootward.workspace(context);
      return { roots, why };
    },
  },
  'rootward://project': {
    name: 'project',
    title: 'Project',
    description: 'Which project this is, what named it, and every source that was tried.',
    async read(rootward, context) {
      const { project, source, confidence, trail } = await rootward.workspace(context);
      return { project, source, confidence, trail };
    },
  },
};

/** Offers the facts about the workspace as resources, for clients that attach those instead of calling tools. */
export function answerResources(server: KitServer, rootward: Rootward): void {
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { name, title, description }]) => ({
      uri,
      name,
      title,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const uri = textIn(params, 'uri');
    const resource = Object.hasOwn(resources, uri) ? resources[uri] : undefined;
    if (resource === undefined)
      throw new ProtocolFault(faultCodes.invalidParams, `There is no resource ${quote(uri)}`, { uri });
    const text = escapeJson(JSON.stringify(await resource.read(rootward, context), undefined, 2));
    return { contents: [{ uri, mimeType, text }] };
  });
}

/** The URIs of the resources. */
export const resourceUris: readonly string[] = Object.keys(resources);

const prompt = {
  name: 'get_to_know_this_project',
  title: 'Get to know this project',
  description: 'Looks at what the project is, how it is built and tested, and where things are.',
} as const;

export const promptNames: readonly string[] = [prompt.name];

/** Offers one prompt, which introduces a person to the project. */
export function answerPrompts(server: KitServer, rootward: Rootward): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [prompt] }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const name = textIn(params, 'name');
    if (name !== prompt.name)
      throw new ProtocolFault(faultCodes.invalidParams, `There is no prompt ${quote(name)}`);
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

/** A parameter that has to be a text. */
function textIn(params: unknown, name: string): string {
  const { [name]: value } = fieldsOf(params);
  if (typeof value === 'string') return value;
  throw new ProtocolFault(faultCodes.invalidParams, `Invalid params: ${name} is not a text`);
}
