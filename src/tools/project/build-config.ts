import { join } from 'node:path';
import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { Turns } from '../../base/turns.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import { ecosystems } from '../../workspace/ecosystems/all-ecosystems.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import { readOnce } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import {
  type BuildDirectory,
  type BuildTask,
  buildTasks,
} from '../../workspace/ecosystems/record/build-system.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { compare, shownPath } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker, type ProgressTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall, type ToolResult } from '../tool/tool.ts';
import { eachPlace, surveyProjects } from './project-survey.ts';

const command = z.object({
  task: z.enum(buildTasks),
  command: z.string().describe('Run it in the directory'),
  directory: z.string().describe('Relative to the project if inside it, otherwise absolute'),
  system: z.string().describe('node, cargo, make …'),
  file: z.string().describe('The file that defines it'),
  why: z.string(),
  bestEffort: z.boolean().describe('The file was read by its lines: it may say more, or mean something else'),
  alsoIn: z.number().optional().describe('In a summary: how many other directories have it'),
});

const output = z.object({
  commands: z.array(command).describe('Of all roots, by task; of very many a summary'),
  total: z.number().describe('Total number of commands'),
  systems: z.array(z.string()).describe('Every build system that was found'),
  unknown: z.array(z.string()).describe('Manifests of other build systems, whose commands are not known'),
  complete: z.boolean().describe('Whether everything was looked at'),
  next: z.number().optional().describe('Offset of the first command that is not shown'),
});

type FoundCommand = z.output<typeof command>;

/** Maximum number of commands that are shown at once, of manifests, and of different commands for a task in a summary. */
const most = { commands: 60, unknown: 20, perTask: 8 } as const;

const buildSystems = ecosystems.flatMap(({ build }) => build ?? []);

const withCommands: ReadonlySet<string> = new Set(
  ecosystems.flatMap(({ name, build }) => (build ? [name] : [])),
);

export const buildConfig: Tool = defineTool({
  name: 'build_config',
  title: 'Find build commands',
  description:
    'Finds the commands to install, build, test, lint, format and run what is in the roots: ' +
    `${buildSystems.map(({ title }) => title).join(', ')}. ` +
    'Says which file names each and why. Runs nothing. Of very many ' +
    'it gives a summary: ask again with a path, a task or an offset.',
  operations: ['read', 'list'],
  effect: 'read',
  answers: 'data',
  input: z.object({
    path: pathText.optional().describe('A directory to look in; all roots by default'),
    task: z.enum(buildTasks).optional().describe('Only commands for this'),
    limit: z.number().int().min(1).max(500).default(50).describe('How many projects to look at per root'),
    offset: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('List each command, from this one on, and no summary'),
  }),
  output,
  run: async ({ path, task, limit, offset }, call) => {
    const workspace = await call.workspace();
    const tick = createTicker(call);
    const deadline = performance.now() + limits.lookMilliseconds;
    const places = await eachPlace(call, path, (location) =>
      look(location, { call, workspace, limit, deadline, tick }),
    );
    const all = places.flatMap(({ commands }) => commands);
    const wanted = all.filter((found) => task === undefined || found.task === task).toSorted(byTask);
    return resultOf({
      ...pageOf(wanted, offset),
      total: wanted.length,
      systems: [...new Set(all.map(({ system }) => system))],
      unknown: places.flatMap(({ unknown }) => unknown).slice(0, most.unknown),
      complete: places.every(({ complete }) => complete),
    });
  },
});

/** Returns one page, or a summary if there are too many and none was asked for. */
function pageOf(
  commands: readonly FoundCommand[],
  offset: number | undefined,
): Pick<z.output<typeof output>, 'commands' | 'next'> {
  if (offset === undefined && commands.length > most.commands)
    return { commands: summarize(commands), next: 0 };
  const start = offset ?? 0;
  const end = start + most.commands;
  return { commands: commands.slice(start, end), ...(end < commands.length ? { next: end } : {}) };
}

/** Keeps the first of equal commands in several directories, and of each task the commonest. */
function summarize(commands: readonly FoundCommand[]): FoundCommand[] {
  const groups = new Map<string, FoundCommand & { alsoIn: number }>();
  for (const each of commands) {
    const key = `${each.task} ${each.command}`;
    const first = groups.get(key);
    if (first === undefined) groups.set(key, { ...each, alsoIn: 0 });
    else first.alsoIn += 1;
  }
  const byCount = [...groups.values()].toSorted((one, other) => other.alsoIn - one.alsoIn);
  return buildTasks.flatMap((task) => byCount.filter((each) => each.task === task).slice(0, most.perTask));
}

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
): Promise<{ commands: readonly FoundCommand[]; unknown: readonly string[]; complete: boolean }> {
  const start = await startAt(location);
  const survey = await surveyProjects(start, { projects: limit, deadline, signal: call.signal, tick });
  const turns = new Turns(call.signal);
  const own = start.relative === '.' ? '' : `${start.relative}/`;
  const prefixes = new Set([own, ...survey.projects.map(({ prefix }) => prefix)]);
  const commands: FoundCommand[] = [];
  const unknown: string[] = [];
  for (const [index, prefix] of [...prefixes].entries()) {
    call.signal.throwIfAborted();
    if (turns.isOver) await turns.next();
    if (performance.now() > deadline) return { commands, unknown, complete: false };
    tick(survey.files + index, `${index} of ${prefixes.size} projects looked into`);
    const shown = shownPath(workspace, join(location.root.path, prefix));
    const directory = await openDirectory(start.boundary, prefix);
    commands.push(...(await commandsIn(directory, shown)));
    unknown.push(...unknownIn(directory, shown));
  }
  return { commands, unknown, complete: survey.complete };
}

/** Returns the manifests of build systems without known commands. */
function unknownIn({ names }: BuildDirectory, shown: string): readonly string[] {
  return names.flatMap((name) => {
    const marker = matchMarker(name);
    if (
      marker === undefined ||
      marker.kind !== 'manifest' ||
      marker.weak ||
      withCommands.has(marker.ecosystem)
    )
      return [];
    return [`${escapeText(name)} (${marker.ecosystem}) in ${shown}`];
  });
}

async function openDirectory(boundary: Boundary, prefix: string): Promise<BuildDirectory> {
  const parts = prefix.split('/').slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, index).join('/') || '.').toReversed();
  const read = readOnce(boundary);
  return {
    names: await namesIn(boundary, prefix || '.'),
    above: await Promise.all(above.map((path) => namesIn(boundary, path))),
    read: (file, format) => read(prefix + file, format),
    list: (below) => namesIn(boundary, prefix + below),
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
      const shownCommand = { command: escapeText(line), file: escapeText(file), why: escapeText(why) };
      found.push({ task, ...shownCommand, directory: shown, system, bestEffort });
    }
  }
  return found;
}

const rank: ReadonlyMap<BuildTask, number> = new Map(buildTasks.map((task, index) => [task, index]));

/** By task, then by directory, so that a page is the same in each call. */
function byTask(one: FoundCommand, other: FoundCommand): number {
  const difference = (rank.get(one.task) ?? 0) - (rank.get(other.task) ?? 0);
  return difference || compare(one.directory, other.directory);
}

function resultOf(found: z.output<typeof output>): ToolResult<z.output<typeof output>> {
  const { commands, complete, unknown } = found;
  const lines = buildTasks.flatMap((task) => {
    const own = commands.filter((each) => each.task === task);
    return own.length === 0 ? [] : [`${task}:\n${own.map(lineOf).join('\n')}`];
  });
  const none =
    unknown.length === 0 ? 'No build system was found' : 'No build system with known commands was found';
  const text = [
    ...(lines.length === 0 ? [none] : lines),
    ...(unknown.length === 0 ? [] : [`[No commands are known for ${unknown.join(', ')}.]`]),
    ...moreOf(found),
    ...(complete ? [] : ['[Not everything was searched: start in a subdirectory.]']),
  ].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: found };
}

function moreOf({ total, next }: z.output<typeof output>): readonly string[] {
  if (next === undefined) return [];
  if (next > 0) return [`[${total} in all. To see more, call again with offset ${next}.]`];
  return [
    `[A summary of ${total} commands. To see each of them, call again with a path, with a task, or with offset 0.]`,
  ];
}

function lineOf({ command: line, directory, file, why, bestEffort, alsoIn = 0 }: FoundCommand): string {
  const where = `${directory}${alsoIn === 0 ? '' : ` and ${alsoIn} more`}`;
  return `  ${line}  [in ${where}; ${file}: ${why}${bestEffort ? '; best effort' : ''}]`;
}
