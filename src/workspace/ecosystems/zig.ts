import {
  type BuildCommand,
  type BuildDirectory,
  quoteWord,
  readBuildFile,
  taskOf,
} from './record/build-system.ts';
import type { Ecosystem } from './record/ecosystem.ts';

const file = 'build.zig';

export const zig: Ecosystem = {
  name: 'zig',
  markers: [
    { file },
    {
      file: 'build.zig.zon',
      // A text in older versions, a name such as `.app` or `.@"my-app"` since 0.14.
      name: { format: 'text', pattern: /^[ \t]*(?:\.\{[ \t]*)?\.name\s?=\s?\.?@?"?(?<name>[\w-]+)/m },
    },
  ],
  build: { name: 'zig', title: 'Zig', find: findZigCommands },
  languages: { Zig: 'zig' },
  pruned: ['zig-out', '.zig-cache', 'zig-cache'],
};

const mostSteps = 60;

/** Finds the steps that a build.zig names literally. Best effort: it is a program, and is not run. */
async function findZigCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  if (!directory.names.includes(file)) return [];
  const text = await readBuildFile(directory, file);
  const steps = [...text.matchAll(/\.step\(\s?"(?<name>[^"\\\r\n]{1,80})"/g)]
    .map(({ groups }) => groups?.['name'] ?? '')
    .slice(0, mostSteps);
  return [
    { task: 'build', command: 'zig build', file, why: 'it is a Zig build' },
    { task: 'format', command: 'zig fmt .', file, why: 'it comes with Zig' },
    ...[...new Set(steps)].map((name) => ({
      task: taskOf(name),
      command: `zig build ${quoteWord(name)}`,
      file,
      why: `step ${quoteWord(name)}`,
      bestEffort: true,
    })),
  ];
}
