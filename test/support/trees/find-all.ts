import { relative } from 'node:path';
import { findProjects, type FindProjectsOptions } from '../../../src/workspace/project/find-projects.ts';
import type { FoundProject } from '../../../src/workspace/project/project.ts';

/** Every project of a directory by its path from there, sorted; `.` for the directory itself. */
export async function findAll(
  directory: string,
  options?: FindProjectsOptions,
): Promise<Readonly<Record<string, FoundProject>>> {
  const found: [string, FoundProject][] = [];
  for await (const project of findProjects(directory, options)) {
    found.push([relative(directory, project.location) || '.', project]);
  }
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Their paths alone. */
export async function findPaths(
  directory: string,
  options?: FindProjectsOptions,
): Promise<readonly string[]> {
  return Object.keys(await findAll(directory, options));
}
