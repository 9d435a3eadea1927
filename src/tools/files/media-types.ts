import { extname } from 'node:path';

/** How a file is sent: as something to look at or listen to, or as a file that has a type. */
export interface MediaType {
  readonly mimeType: string;
  readonly block: 'image' | 'audio' | 'resource';
}

/** Of a file, by the end of its name. */
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

/** Pictures that hosts and models commonly refuse, and with them the whole conversation. */
const unshown: ReadonlySet<string> = new Set(['image/avif', 'image/heic', 'image/tiff', 'image/x-icon']);
