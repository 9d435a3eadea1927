import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Boundary } from '../boundary/boundary.ts';

/** Sign-in links that wait in files until they are used. */
export interface LinkFiles {
  /** Writes a link to a file and returns the URL of that file. */
  write(link: string): Promise<string>;
  /** Removes the file of a link that was used. */
  used(link: string): void;
  close(): Promise<void>;
}

/** Milliseconds that a browser may take to start. */
const patience = 2 * 60_000;

/**
 * Keeps links in files that only their owner can read, for browsers: every user of the machine can see the arguments
 * of a program, and so the name of such a file, but not its content. A file is removed when its link is used, after
 * two minutes, and at the end. The next server removes files that a killed one left.
 */
export async function openLinkFiles(boundary: Boundary, now: number = Date.now()): Promise<LinkFiles> {
  await sweep(boundary, now);
  const kept = new Map<string, { readonly name: string; readonly timer: NodeJS.Timeout }>();
  const remove = async (link: string): Promise<void> => {
    const file = kept.get(link);
    if (file === undefined) return;
    kept.delete(link);
    clearTimeout(file.timer);
    await boundary.remove(file.name).catch(() => {});
  };
  return {
    async write(link) {
      const name = `open-${randomBytes(12).toString('hex')}.html`;
      await boundary.write(name, pageFor(link), { exclusive: true, mode: 0o600 });
      const timer = setTimeout(() => void remove(link), patience).unref();
      kept.set(link, { name, timer });
      const [directory = ''] = boundary.spellings;
      return pathToFileURL(join(directory, name)).href;
    },
    used: (link) => void remove(link),
    async close() {
      for (const link of kept.keys()) await remove(link);
    },
  };
}

async function sweep(boundary: Boundary, now: number): Promise<void> {
  for (const { name } of (await boundary.list('.')).entries) {
    if (!/^open-[\da-f]{24}\.html$/.test(name)) continue;
    const { modified } = await boundary.lstat(name);
    if (now - modified.getTime() > patience) await boundary.remove(name).catch(() => {});
  }
}

/** Links consist of letters and digits, so nothing needs escaping. */
function pageFor(link: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="content-security-policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Rootward</title>
<p><a href="${link}" rel="noreferrer">Open Rootward</a>
</html>
`;
}
