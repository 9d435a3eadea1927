import { isAbsolute, sep } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A relative path is one from the project, however many roots there are; without a project it is from nowhere. */
export function projectFirst(workspace: Workspace, project: string | undefined): Workspace {
  return {
    ...workspace,
    locate(path) {
      if (!isRelative(path)) return workspace.locate(path);
      return project === undefined ? undefined : workspace.locate(`${project}${sep}${path}`);
    },
  };
}

/** Neither absolute nor a URI of any kind. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !isFileUri(path) && !/^[a-z][a-z\d+.-]+:\/\//i.test(path);
}
