import { basename } from 'node:path';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { isInside } from '../../path/inside.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { RootIssue } from '../../path/root-issue.ts';

/** Returns the name of the first granted root that is gone; with a path, of the one that held it. */
export function findMissingRoot(issues: readonly RootIssue[], path?: string): string | undefined {
  const gone = issues.filter(({ code }) => code === 'missing').map(({ entry }) => pathOf(entry));
  const asked = path === undefined ? undefined : pathOf(path);
  const found = gone.find((root) => asked === undefined || isInside(root, asked, { platform: hostPlatform }));
  return found && basename(found);
}

/** The path of an entry, which is a path or a file URI. */
export function pathOf(entry: string): string {
  const path = isFileUri(entry) ? readFileUri(entry, { whole: true, unc: true }) : entry;
  return typeof path === 'string' ? path : entry;
}
