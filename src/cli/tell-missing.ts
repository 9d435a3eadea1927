import { type LookRefusal, lookAt } from '../boundary/look-at.ts';
import { parseRoots } from '../path/root.ts';
import { quote } from '../quote.ts';
import type { CliContext } from './command-context.ts';
import type { ServeSettings } from './serve-settings.ts';

const reasons: Readonly<Record<LookRefusal, string>> = {
  missing: 'it does not exist; it is reached as soon as it does',
  'no-permission': 'this user may not open it',
  silent: 'its file system does not answer',
};

/**
 * Tells whoever starts a server which of the named directories cannot be reached, a line each. The server starts
 * all the same: the others can be, and what is missing may come.
 */
export async function tellMissing(
  { process: { stderr } }: CliContext,
  { directories = [] }: Pick<ServeSettings, 'directories'>,
): Promise<void> {
  const { roots } = parseRoots(directories.map((uri) => ({ uri })));
  const lines = await Promise.all(roots.map(async ({ path }) => faultOf(path)));
  for (const line of lines) if (line !== undefined) stderr.write(`rootward: Warning: ${line}\n`);
}

async function faultOf(path: string): Promise<string | undefined> {
  const look = await lookAt(path);
  if ('refused' in look) return `Cannot access directory ${quote(path)}: ${reasons[look.refused]}`;
  if (look.kind !== 'directory' && look.kind !== 'file')
    return `Cannot access directory ${quote(path)}: it is neither a directory nor a file`;
  return look.readable ? undefined : `Cannot access directory ${quote(path)}: ${reasons['no-permission']}`;
}
