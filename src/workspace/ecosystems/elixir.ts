import { type BuildCommand, type BuildDirectory, readBuildFile } from './record/build-system.ts';
import type { Ecosystem } from './record/ecosystem.ts';

export const elixir: Ecosystem = {
  name: 'elixir',
  markers: [{ file: 'mix.exs', name: { format: 'text', pattern: /\bapp:\s?:"?(?<name>\w+)/ } }],
  build: { name: 'mix', title: 'Mix', find: findMixCommands },
  languages: { Elixir: 'ex exs heex' },
  pruned: ['_build'],
};

/** Dependencies that add a task. */
const added: readonly (readonly [string, BuildCommand['task'], string])[] = [
  ['phoenix', 'run', 'mix phx.server'],
  ['credo', 'lint', 'mix credo'],
  ['dialyxir', 'lint', 'mix dialyzer'],
];

/** Finds the tasks that every Mix project has, and those of well-known dependencies. */
async function findMixCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = 'mix.exs';
  if (!directory.names.includes(file)) return [];
  const text = await readBuildFile(directory, file);
  const why = 'it is a project of Mix';
  return [
    { task: 'install', command: 'mix deps.get', file, why },
    { task: 'build', command: 'mix compile', file, why },
    { task: 'test', command: 'mix test', file, why },
    { task: 'format', command: 'mix format', file, why: 'it comes with Mix' },
    ...added
      .filter(([name]) => new RegExp(`\\{:${name},`).test(text))
      .map(([name, task, command]): BuildCommand => ({
        task,
        command,
        file,
        why: `it uses ${name}`,
        bestEffort: true,
      })),
  ];
}
