import { join } from 'node:path';
import { z } from 'zod';
import { Turns } from '../../base/turns.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import { readManifest, type ReadManifest } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { shownPath } from '../tool/shown-path.ts';
import { type SearchStart, startAt } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall } from '../tool/tool.ts';
import { readFacts } from './project-facts.ts';
import { orderLanguages } from './project-languages.ts';
import { readRepository } from './project-repository.ts';
import { eachPlace, type SurveyedProject, surveyProjects } from './project-survey.ts';
import { type DescribedPlace, type DescribedProject, describeRoots } from './project-text.ts';

const language = z.object({ language: z.string(), files: z.number() });

const project = z.object({
  name: z.string(),
  path: z.string().describe('Relative to the project of the call if inside it, otherwise absolute'),
  kind: z.enum(['marker', 'repository', 'manifest', 'editor', 'directory']).describe('What revealed it'),
  ecosystems: z.array(z.string()).describe('Whose manifests it has: node, rust, python …'),
  markers: z.array(z.string()).describe('The files that revealed it'),
  version: z.string().optional(),
  description: z.string().optional(),
  license: z.string().optional(),
  requires: z.record(z.string(), z.string()).describe('Versions of languages and runtimes'),
  entryPoints: z.array(z.string()),
  scripts: z.record(z.string(), z.string()).describe('Commands that it defines'),
  packageOf: z.string().optional().describe('Path of the project that declares it as a package'),
  within: z.string().optional().describe('Path of the nearest project around it'),
  packages: z.number().describe('How many packages it declares and has'),
  languages: z.array(language).describe('Without the files of projects within it'),
  repository: z
    .object({
      kind: z.enum(['git', 'jj', 'hg', 'svn']),
      tree: z.enum(['worktree', 'submodule']).optional(),
      outside: z
        .literal(true)
        .optional()
        .describe('Its data is outside the roots, so the branch is not shown'),
      branch: z.string().optional(),
      remote: z.string().optional().describe('Without a login'),
    })
    .optional(),
});

const place = z.object({
  root: z.string().describe('Name of the root'),
  path: z.string().describe('Absolute'),
  files: z.number(),
  languages: z.array(language).describe('Most files first'),
  projects: z.array(project),
  complete: z.boolean().describe('Whether everything was looked at'),
  issues: z.array(z.string()).describe('Manifests that cannot be read'),
});

const output = z.object({
  project: z.object({ name: z.string(), path: z.string().optional(), source: z.string() }),
  roots: z.array(place),
});

export const projectInfo: Tool = defineTool({
  name: 'project_info',
  title: 'Describe the project',
  description:
    'Describes what is in the roots: projects and packages with names, versions, entry points and scripts, ' +
    'languages by number of files, version control. Reads manifests, runs nothing. See build_config for how to ' +
    'build and test, find_docs for what is written about it.',
  operations: ['read', 'list'],
  effect: 'read',
  answers: 'data',
  input: z.object({
    path: pathText.optional().describe('A directory to describe; all roots by default'),
    limit: z.number().int().min(1).max(500).default(50).describe('How many projects to describe per root'),
  }),
  output,
  run: async ({ path, limit }, call) => {
    const workspace = await call.workspace();
    const deadline = performance.now() + limits.lookMilliseconds;
    const roots = await eachPlace(call, path, (location) =>
      describe(location, { call, workspace, limit, deadline }),
    );
    const { name, location } = workspace.project;
    const known = location === undefined ? { name } : { name, path: location };
    const found = { project: { ...known, source: workspace.source }, roots: [...roots] };
    return { content: [{ type: 'text', text: describeRoots(found) }], structuredContent: found };
  },
});

interface DescribeContext {
  readonly call: ToolCall;
  readonly workspace: CallWorkspace;
  readonly limit: number;
  /** In terms of `performance.now`. */
  readonly deadline: number;
}

async function describe(location: Location, describing: DescribeContext): Promise<DescribedPlace> {
  const { call, limit, deadline } = describing;
  const start = await startAt(location);
  const survey = await surveyProjects(start, {
    projects: limit,
    deadline,
    signal: call.signal,
    tick: createTicker(call),
  });
  const projects: DescribedProject[] = [];
  const turns = new Turns(call.signal);
  for (const found of survey.projects) {
    call.signal.throwIfAborted();
    if (turns.isOver) await turns.next();
    if (performance.now() > deadline) break;
    projects.push(await describeProject(found, { ...describing, start, location, all: survey.projects }));
  }
  return {
    root: location.root.name,
    path: start.absolute,
    files: survey.files,
    languages: orderLanguages(survey.languages),
    projects,
    complete: survey.complete && projects.length === survey.projects.length,
    issues: [...survey.issues],
  };
}

interface DescribeWithin extends DescribeContext {
  readonly start: SearchStart;
  readonly location: Location;
  readonly all: readonly SurveyedProject[];
}

async function describeProject(
  found: SurveyedProject,
  { call, workspace, location: { boundary, root }, all }: DescribeWithin,
): Promise<DescribedProject> {
  const { name, kind, prefix, names, parent, member } = found;
  const read: ReadManifest = (file, format) => readManifest(boundary, prefix + file, format);
  const facts = await readFacts(names, read);
  const roots = workspace.roots.map(({ path }) => path);
  const repository = await readRepository(boundary, found, { call, roots });
  const ecosystems = names
    .map((file) => matchMarker(file))
    .flatMap((marker) => (marker?.kind === 'manifest' ? [marker.ecosystem] : []));
  const around = parent === undefined ? undefined : shownPath(workspace, parent);
  return {
    name,
    path: shownPath(workspace, join(root.path, prefix)),
    kind,
    ecosystems: [...new Set(ecosystems)],
    markers: [...found.markers],
    ...facts,
    ...(around === undefined ? {} : { [member ? 'packageOf' : 'within']: around }),
    packages: all.filter((other) => other.member && other.parent === found.location).length,
    languages: orderLanguages(found.languages),
    ...(repository === undefined ? {} : { repository }),
  };
}
