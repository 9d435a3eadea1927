import { join } from 'node:path';
import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { Turns } from '../../base/turns.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import { ecosystems } from '../../workspace/ecosystems/all-ecosystems.ts';
import { readOnce } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  type BuildTask,
  buildTasks,
} from '../../workspace/ecosystems/record/build-system.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { shownPath } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker, type ProgressTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall, type ToolResult } from '../tool/tool.ts';
import { eachPlace, surveyProjects } from './project-survey.ts';

const command = z.object({
  task: z.enum(buildTasks),
  command: z.string().describe('To be run in the directory'),
  directory: z.string().describe('Relative to the project where it lies in it, absolute elsewhere'),
  system: z.string().describe('node, cargo, make …'),
  file: z.string().describe('The file that says so'),
  why: z.string(),
  bestEffort: z.boolean().describe('The file was read by its lines: it may say more, or mean something else'),
});

const output = z.object({
  commands: z.array(command).describe('Of all roots, by task'),
  systems: z.array(z.string()).describe('Every build system that was found'),
  complete: z.boolean().describe('Whether everything was looked at'),
});

type FoundCommand = z.output<typeof command>;

/** Maximum number of commands, which fit into one message. */
const mostCommands = 500;

const buildSystems = ecosystems.flatMap(({ build }) => build ?? []);

export const buildConfig: Tool = defineTool({
  name: 'build_config',
  title: 'Find build commands',
  description:
    'Finds the commands to install, build, test, lint, format and run what is in the roots: ' +
    `${buildSystems.map(({ title }) => title).join(', ')}. Says which file names each and why. Runs nothing.`,
  operations: ['read', 'list'],
  effect: 'read',
  input: z.object({
    path: pathText.optional().describe('A directory to look in; all roots by default'),
    task: z.enum(buildTasks).optional().describe('Only commands for this'),
    limit: z.number().int().min(1).max(500).default(50).describe('How many projects to look at per root'),
  }),
  output,
  run: async ({ path, task, limit }, call) => {
    const workspace = await call.workspace();
    const tick = createTicker(call);
    const deadline = performance.now() + limits.lookMilliseconds;
    const places = await eachPlace(call, path, (location) =>
      look(location, { call, workspace, limit, deadline, tick }),
    );
    const all = places.flatMap(({ commands }) => commands);
    const wanted = all.filter((found) => task === undefined || found.task === task).toSorted(byTask);
    return resultOf({
      commands: wanted.slice(0, mostCommands),
      systems: [...new Set(all.map(({ system }) => system))],
      complete: places.every(({ complete }) => complete) && wanted.length <= mostCommands,
    });
  },
});

interface CommandSearch {
  readonly call: ToolCall;
  readonly workspace: CallWorkspace;
  readonly limit: number;
  /** In terms of `performance.now`. */
  readonly deadline: number;
  readonly tick: ProgressTicker;
}

async function look(
  location: Location,
  { call, workspace, limit, deadline, tick }: CommandSearch,
): Promise<{ commands: readonly FoundCommand[]; complete: boolean }> {
  const start = await startAt(location);
  const survey = await surveyProjects(start, { projects: limit, deadline, signal: call.signal, tick });
  const turns = new Turns(call.signal);
  const own = start.relative === '.' ? '' : `${start.relative}/`;
  const prefixes = new Set([own, ...survey.projects.map(({ prefix }) => prefix)]);
  const commands: FoundCommand[] = [];
  for (const [index, prefix] of [...prefixes].entries()) {
    call.signal.throwIfAborted();
    if (turns.isOver) await turns.next();
    if (performance.now() > deadline) return { commands, complete: false };
    tick(survey.files + index, `${index} of ${prefixes.size} projects looked into`);
    const directory = shownPath(workspace, join(location.root.path, prefix));
    commands.push(...(await commandsIn(await openDirectory(start.boundary, prefix), directory)));
  }
  return { commands, complete: survey.complete };
}

async function openDirectory(boundary: Boundary, prefix: string): Promise<BuildDirectory> {
  const parts = prefix.split('/').slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, index).join('/') || '.').toReversed();
  const read = readOnce(boundary);
  return {
    names: await namesIn(boundary, prefix || '.'),
    above: await Promise.all(above.map((path) => namesIn(boundary, path))),
    read: (file, format) => read(prefix + file, format),
  };
}

/** Returns no names if a directory cannot be listed. */
async function namesIn(boundary: Boundary, path: string): Promise<readonly string[]> {
  try {
    const { entries } = await boundary.list(path, { limit: 2_000 });
    return entries.map(({ name }) => name);
  } catch (error) {
    if (RootwardError.is(error)) return [];
    throw error;
  }
}

async function commandsIn(directory: BuildDirectory, shown: string): Promise<readonly FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const { name: system, find } of buildSystems) {
    const commands = await find(directory);
    for (const { task, command: line, file, why, bestEffort = false } of commands) {
      // Names of files and tasks come from the project, which may be hostile.
      const said = { command: escapeText(line), file: escapeText(file), why: escapeText(why) };
      found.push({ task, ...said, directory: shown, system, bestEffort });
    }
  }
  return found;
}

const rank: ReadonlyMap<BuildTask, number> = new Map(buildTasks.map((task, index) => [task, index]));

function byTask(one: Pick<BuildCommand, 'task'>, other: Pick<BuildCommand, 'task'>): number {
  return (rank.get(one.task) ?? 0) - (rank.get(other.task) ?? 0);
}

function resultOf(found: z.output<typeof output>): ToolResult<z.output<typeof output>> {
  const { commands, complete } = found;
  const lines = buildTasks.flatMap((task) => {
    const own = commands.filter((each) => each.task === task);
    return own.length === 0 ? [] : [`${task}:\n${own.map(lineOf).join('\n')}`];
  });
  const text = [
    ...(lines.length === 0 ? ['No build system was found'] : lines),
    ...(complete ? [] : ['[Not everything was searched: start in a subdirectory.]']),
  ].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: found };
}

function lineOf({ command: line, directory, file, why, bestEffort }: FoundCommand): string {
  return `  ${line}  [in ${directory}; ${file}: ${why}${bestEffort ? '; best effort' : ''}]`;
}
