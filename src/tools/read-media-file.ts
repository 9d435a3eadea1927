import { z } from 'zod';
import { toFileUri } from '../path/file-uri.ts';
import { limits } from './limits.ts';
import { mediaTypeOf } from './media-types.ts';
import { placeOf } from './place-of.ts';
import { reach } from './reach.ts';
import { type ContentBlock, defineTool, type Tool } from './tool.ts';

const output = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
      z.object({
        type: z.literal('resource'),
        resource: z.object({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
      }),
    ]),
  ),
});

export const readMediaFile: Tool = defineTool({
  name: 'read_media_file',
  title: 'Read media file',
  description:
    'Reads any file as bytes, in base64. Pictures and sounds come as such, ' +
    'every other file as an embedded resource with its type.',
  operations: ['read'],
  effect: 'read',
  input: z.object({ path: z.string().describe('Absolute, relative to the project, or a file URI') }),
  output,
  run: ({ path }, call) =>
    reach(call, { operation: 'read', path }, async (location) => {
      const { boundary, relative } = location;
      const bytes = await boundary.readBytes(relative, { limit: limits.media, signal: call.signal });
      const block = blockOf(await placeOf(location), bytes.toString('base64'));
      return { content: [block], structuredContent: { content: [block] } };
    }),
});

function blockOf(absolute: string, data: string): Exclude<ContentBlock, { type: 'text' }> {
  const { block, mimeType } = mediaTypeOf(absolute);
  if (block !== 'resource') return { type: block, data, mimeType };
  return { type: 'resource', resource: { uri: toFileUri(absolute), mimeType, blob: data } };
}
