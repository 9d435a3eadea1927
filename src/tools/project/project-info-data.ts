import type { ProjectKind } from '../../workspace/project/project.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { LanguageCount } from './project-languages.ts';
import type { RepositoryFacts } from './project-repository.ts';

/** A project as the tool describes it. */
export interface DescribedProject extends ProjectFacts {
  name: string;
  path: string;
  kind: ProjectKind;
  ecosystems: string[];
  markers: string[];
  packageOf?: string;
  within?: string;
  packages: number;
  languages: LanguageCount[];
  repository?: RepositoryFacts;
}

/** A directory that was looked at, and what is in it. */
export interface DescribedPlace {
  root: string;
  path: string;
  files: number;
  languages: LanguageCount[];
  projects: DescribedProject[];
  complete: boolean;
  issues: string[];
}

export interface ProjectInfo {
  project: { name: string; path?: string; source: string };
  roots: DescribedPlace[];
}
