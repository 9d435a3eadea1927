import { escapeText } from '../../base/quote.ts';
import type { ProjectKind } from '../../workspace/project/project.ts';
import { oneLinePath } from '../tool/shown-path.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { LanguageCount } from './project-languages.ts';
import type { RepositoryFacts } from './project-repository.ts';

/** Describes the roots for a model. */
export function describeRoots({ project, roots }: ProjectInfo): string {
  const at = project.path === undefined ? '' : ` at ${oneLinePath(project.path)}`;
  const title = `Project ${escapeText(project.name)}${at} (from ${project.source})`;
  return [title, ...roots.map(describePlace)].join('\n\n');
}

function describePlace({ root, path, files, languages, projects, complete, issues }: DescribedPlace): string {
  const lines = [
    `Root ${escapeText(root)}: ${oneLinePath(path)}`,
    `${files} files${languages.length === 0 ? '' : `: ${inLanguages(languages)}`}`,
    ...projects.map(describeProject),
    ...(projects.length === 0 ? ['No project was found in it.'] : []),
    ...issues.map((issue) => `[${escapeText(issue)}]`),
    ...(complete ? [] : ['[Not everything was searched: start in a subdirectory, or raise the limit.]']),
  ];
  return lines.join('\n');
}

function describeProject(project: DescribedProject): string {
  const { name, path, version, kind, ecosystems, packages } = project;
  const relation =
    project.packageOf === undefined
      ? project.within && `within ${project.within}`
      : `package of ${project.packageOf}`;
  const about = [
    ecosystems.join(', ') || kind,
    relation,
    packages === 0 ? undefined : `${packages} packages`,
  ];
  const scripts = Object.entries(project.scripts).map(([script, command]) => `    ${script}: ${command}`);
  const facts: readonly (readonly [string, string])[] = [
    ['about', project.description ?? ''],
    ['license', project.license ?? ''],
    [
      'requires',
      Object.entries(project.requires)
        .map(([what, range]) => `${what} ${range}`)
        .join(', '),
    ],
    ['languages', inLanguages(project.languages)],
    ['entry points', project.entryPoints.join('; ')],
    ['repository', describeRepository(project.repository)],
    ['scripts', scripts.length === 0 ? '' : `\n${scripts.join('\n')}`],
  ];
  const lines = facts.filter(([, text]) => text !== '').map(([what, text]) => `  ${what}: ${text}`);
  const title = `- ${escapeText(name)}${version === undefined ? '' : ` ${version}`} at ${path} (${about.filter(Boolean).join('; ')})`;
  return [title, ...lines].join('\n').replaceAll(': \n', ':\n');
}

function inLanguages(languages: DescribedPlace['languages']): string {
  return languages
    .slice(0, 8)
    .map(({ language, files }) => `${language} ${files}`)
    .join(', ');
}

function describeRepository(repository: DescribedProject['repository']): string {
  if (repository === undefined) return '';
  const { kind, tree, outside, branch, remote } = repository;
  const where = outside && `${tree ?? 'data'} of a repository outside the roots`;
  return [kind, where ?? tree, branch && `on ${branch}`, remote && `from ${remote}`]
    .filter(Boolean)
    .join(', ');
}

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

/** A directory and its content. */
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
