import { extname } from 'node:path';
import { z } from 'zod';
import { toFileUri } from '../../path/file-uri.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { realPlaceOf } from '../tool/search-start.ts';
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
  more: z.string().optional().describe('Where the content is, if it is not here'),
});

export const readMediaFile: Tool = defineTool({
  name: 'read_media_file',
  title: 'Read media file',
  description:
    'Reads any file as bytes, in base64. Pictures and sounds come as such, ' +
    'every other file as an embedded resource with its type, and so does a part of a file.',
  operations: ['read'],
  effect: 'read',
  isBrief: true,
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    offset: z.number().int().min(0).optional().describe('First byte of a part'),
    length: z.number().int().min(1).max(limits.media).optional().describe('Bytes of a part, at most'),
  }),
  output,
  run: ({ path, offset, length }, call) =>
    call.reach({ operation: 'read', path, remedies }, (location) =>
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
  const block = blockOf(await realPlaceOf(location), bytes.toString('base64'));
  if (bytes.length <= limits.media) return { content: [block], structuredContent: { content: [block] } };
  const more = 'Only in the content of the result, because it would be too long for one message twice';
  return { content: [block], structuredContent: { content: [], more } };
}

interface MediaRange {
  readonly offset: number | undefined;
  readonly length: number | undefined;
}

/** Reads a part of a file, as plain bytes: a part of an image is not an image. */
async function readPart(
  location: Location,
  { signal }: ToolCall,
  { offset = 0, length = limits.media }: MediaRange,
): Promise<MediaResult> {
  const { boundary, relative } = location;
  const bytes = await boundary.readBytes(relative, { start: offset, end: offset + length, signal });
  const uri = toFileUri(await realPlaceOf(location));
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

/** How a file is sent: as an image, as audio, or as a resource. */
export interface MediaType {
  readonly mimeType: string;
  readonly block: 'image' | 'audio' | 'resource';
}

/** Returns the media type of a file by its extension. */
export function mediaTypeOf(path: string): MediaType {
  const mimeType = types.get(extname(path).toLowerCase()) ?? 'application/octet-stream';
  const [kind] = mimeType.split('/');
  const shown = kind === 'image' || kind === 'audio' ? kind : 'resource';
  return { mimeType, block: unshown.has(mimeType) ? 'resource' : shown };
}

const table = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'image/bmp': ['.bmp'],
  'image/svg+xml': ['.svg'],
  'image/avif': ['.avif'],
  'image/heic': ['.heic'],
  'image/tiff': ['.tif', '.tiff'],
  'image/x-icon': ['.ico'],
  'audio/mpeg': ['.mp3'],
  'audio/wav': ['.wav'],
  'audio/ogg': ['.ogg', '.oga', '.opus'],
  'audio/flac': ['.flac'],
  'audio/aac': ['.aac'],
  'audio/mp4': ['.m4a'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/webm': ['.webm'],
  'video/quicktime': ['.mov'],
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
  'application/gzip': ['.gz', '.tgz'],
  'application/x-tar': ['.tar'],
  'application/wasm': ['.wasm'],
  'application/json': ['.json'],
  'application/xml': ['.xml'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['.pptx'],
  'font/ttf': ['.ttf'],
  'font/otf': ['.otf'],
  'font/woff': ['.woff'],
  'font/woff2': ['.woff2'],
  'text/plain': ['.txt', '.log'],
  'text/markdown': ['.md'],
  'text/html': ['.html', '.htm'],
  'text/css': ['.css'],
  'text/csv': ['.csv'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([mimeType, ends]) => ends.map((end) => [end, mimeType] as const)),
);

/** Image types that many hosts and models refuse, which would end the conversation. */
const unshown: ReadonlySet<string> = new Set(['image/avif', 'image/heic', 'image/tiff', 'image/x-icon']);
