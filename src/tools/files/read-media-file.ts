import { z } from 'zod';
import { toFileUri } from '../../path/file-uri.ts';
import type { Location } from '../../workspace/workspace.ts';
import { pathText } from '../tool/inputs.ts';
import { limits } from '../tool/answer-limits.ts';
import { mediaTypeOf } from './media-types.ts';
import { placeOf } from '../tool/place-of.ts';
import { reach } from '../tool/reach.ts';
import { type ContentBlock, defineTool, type Tool, type ToolCall, type ToolResult } from '../tool/tool.ts';

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
  more: z.string().optional().describe('Present if something is not here: where it is'),
});

export const readMediaFile: Tool = defineTool({
  name: 'read_media_file',
  title: 'Read media file',
  description:
    'Reads any file as bytes, in base64. Pictures and sounds come as such, ' +
    'every other file as an embedded resource with its type, and so does a part of a file.',
  operations: ['read'],
  effect: 'read',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    offset: z.number().int().min(0).optional().describe('First byte of a part'),
    length: z.number().int().min(1).max(limits.media).optional().describe('Bytes of a part, at most'),
  }),
  output,
  run: ({ path, offset, length }, call) =>
    reach(call, { operation: 'read', path, remedies }, (location) =>
      offset === undefined && length === undefined
        ? readWhole(location, call)
        : readPart(location, call, { offset, length }),
    ),
});

const remedies = {
  TOO_LARGE:
    'Read a part of it with offset and length, or make a smaller copy; a text can be read with read_text_file',
} as const;

type MediaResult = ToolResult<z.output<typeof output>>;

async function readWhole(location: Location, { signal }: ToolCall): Promise<MediaResult> {
  const { boundary, relative } = location;
  const bytes = await boundary.readBytes(relative, { limit: limits.mediaOnce, signal });
  const block = blockOf(await placeOf(location), bytes.toString('base64'));
  if (bytes.length <= limits.media) return { content: [block], structuredContent: { content: [block] } };
  const more = 'In the content of the result alone: twice it would be too long for one message';
  return { content: [block], structuredContent: { content: [], more } };
}

interface Part {
  readonly offset: number | undefined;
  readonly length: number | undefined;
}

/** A part of a picture is none, so it comes as plain bytes. */
async function readPart(
  location: Location,
  { signal }: ToolCall,
  { offset = 0, length = limits.media }: Part,
): Promise<MediaResult> {
  const { boundary, relative } = location;
  const bytes = await boundary.readBytes(relative, { start: offset, end: offset + length, signal });
  const uri = toFileUri(await placeOf(location));
  const mimeType = 'application/octet-stream';
  const resource = { uri, mimeType, blob: bytes.toString('base64') };
  const block = { type: 'resource', resource } as const;
  return { content: [block], structuredContent: { content: [block] } };
}

function blockOf(absolute: string, data: string): Exclude<ContentBlock, { type: 'text' }> {
  const { block, mimeType } = mediaTypeOf(absolute);
  if (block !== 'resource') return { type: block, data, mimeType };
  return { type: 'resource', resource: { uri: toFileUri(absolute), mimeType, blob: data } };
}
