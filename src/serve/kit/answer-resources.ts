import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { CallContext } from '../../server/sdk/call-context.ts';
import type { Rootward } from '../../server/settings/rootward.ts';

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

/** What is known about the workspace, for clients that attach resources rather than call tools. */
export function answerResources(server: Server, rootward: Rootward): void {
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
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const resource = Object.hasOwn(resources, uri) ? resources[uri] : undefined;
    if (resource === undefined) throw new ResourceNotFoundError(uri, `There is no resource ${uri}`);
    const text = JSON.stringify(await resource.read(rootward, context), undefined, 2);
    return { contents: [{ uri, mimeType, text }] };
  });
}
