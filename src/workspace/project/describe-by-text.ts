import { createProjectId } from './project-id.ts';
import type { Project } from './project.ts';

/** A place as the project that somebody says it is, without a look at the disk: its last name, and no markers. */
export function describeByText(location: string): Project {
  const name = location.split(/[\\/]/).findLast((text) => text !== '') ?? location;
  return { name, location, id: createProjectId(location), kind: 'directory', markers: [] };
}
