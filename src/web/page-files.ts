import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBoundary } from '../boundary/open-boundary.ts';

export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Content types of the page's files; no other file in its directory is served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The directory of the built page. It is the same seen from this file and from the bundled command. */
export const builtPage: string = fileURLToPath(new URL('../web/page', import.meta.url));

/** Reads the files of the page once, by URL path, so that no URL ever reaches the disk. */
export async function loadPage(directory: string = builtPage): Promise<ReadonlyMap<string, PageFile>> {
  await using boundary = await openBoundary(directory, { name: 'page' });
  const files = new Map<string, PageFile>();
  for await (const { path, kind } of boundary.walk('.')) {
    const type = types[extname(path)];
    if (kind !== 'file' || type === undefined) continue;
    const url = `/${path.replaceAll('\\', '/')}`;
    files.set(url === '/index.html' ? '/' : url, { type, bytes: await boundary.readBytes(path) });
  }
  return files;
}
