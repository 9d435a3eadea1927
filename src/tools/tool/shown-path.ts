import { relative, sep } from 'node:path';
import { isInside } from '../../path/inside.ts';
import type { CallWorkspace } from '../../server/settings/call-workspace.ts';
import { oneLinePath } from './one-line-path.ts';

/**
 * A path as results show it: relative to the project where it lies there, because that is short and every
 * tool takes it, and absolute elsewhere. Always one line.
 */
export function shownPath({ project }: Pick<CallWorkspace, 'project'>, absolute: string): string {
  const { location } = project;
  if (location === undefined || !isInside(location, absolute)) return oneLinePath(absolute);
  return oneLinePath(absolute, relative(location, absolute).replaceAll(sep, '/') || '.');
}
