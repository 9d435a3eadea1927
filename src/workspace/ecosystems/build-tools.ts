import { fieldsOf } from '../../base/fields.ts';
import { fieldAt } from './manifest/parsed.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  firstOf,
  quoteWord,
  readBuildFile,
  taskOf,
  valueOf,
} from './record/build-system.ts';
import type { Ecosystem } from './record/ecosystem.ts';

// Build tools for any language.

export const bazel: Ecosystem = {
  name: 'bazel',
  markers: [
    {
      file: 'MODULE.bazel',
      name: { format: 'text', pattern: /^module\([^)]{0,400}?\bname\s?=\s?"(?<name>[^"\r\n]+)"/m },
    },
    { file: 'WORKSPACE.bazel' },
    { file: 'WORKSPACE' },
  ],
  build: { name: 'bazel', title: 'Bazel', find: findBazelCommands },
  pruned: ['bazel-bin', 'bazel-out'],
};

/** Finds the commands for all targets. */
async function findBazelCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, ['MODULE.bazel', 'WORKSPACE.bazel', 'WORKSPACE']);
  if (file === undefined) return [];
  const why = 'it is a workspace of Bazel';
  return [
    { task: 'build', command: 'bazel build //...', file, why },
    { task: 'test', command: 'bazel test //...', file, why },
    { task: 'clean', command: 'bazel clean', file, why },
  ];
}

export const nix: Ecosystem = {
  name: 'nix',
  markers: [{ file: 'flake.nix' }],
  languages: { Nix: 'nix' },
  pruned: ['.direnv'],
};

export const make: Ecosystem = {
  name: 'make',
  markers: ['Makefile', 'makefile', 'GNUmakefile'].map((file) => ({ file, weak: true, repeats: true })),
  build: { name: 'make', title: 'Make', find: findMakeCommands },
};

export const just: Ecosystem = { name: 'just', markers: [{ file: 'justfile', weak: true }] };

/** In the order in which Task looks for them. */
const taskfiles = ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml'] as const;

/** The task runner `task`, configured in YAML. */
export const task: Ecosystem = {
  name: 'task',
  markers: taskfiles.map((file) => ({ file, weak: true })),
  build: { name: 'task', title: 'Task', find: findTasks },
};

/** More than a person reads through. */
const most = 60;

/**
 * Finds the targets of a makefile. Best effort: computed and included targets are not seen, and neither are
 * targets that are files, which are rarely meant.
 */
async function findMakeCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, ['GNUmakefile', 'makefile', 'Makefile']);
  if (file === undefined) return [];
  const text = await readBuildFile(directory, file);
  return targetsIn(text).map((name) => {
    const word = quoteWord(name);
    return { task: taskOf(name), command: `make ${word}`, file, why: `target ${word}`, bestEffort: true };
  });
}

/**
 * Targets declared phony, or plain words followed by a colon: `a b: c`, but not `a := b`, `%.o: %.c` and
 * `.SUFFIXES:`.
 */
function targetsIn(text: string): readonly string[] {
  const targets = new Set<string>();
  for (const line of text.split('\n')) {
    const { names } = /^(?<names>[\w.][^:=#$%\t]*?)\s?::?(?![=:])/.exec(line.slice(0, 400))?.groups ?? {};
    for (const name of (names ?? '').split(/\s+/)) if (/^[A-Za-z0-9][\w-]*$/.test(name)) targets.add(name);
  }
  return [...targets].slice(0, most);
}

/** Finds the tasks of the file itself, without included ones. Internal tasks cannot be called. */
async function findTasks(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, taskfiles);
  if (file === undefined) return [];
  const tasks = fieldsOf(fieldAt(await valueOf(directory, file, 'yaml'), ['tasks']));
  return Object.entries(tasks)
    .filter(([name, body]) => !name.includes('*') && fieldAt(body, ['internal']) !== true)
    .slice(0, most)
    .map(([name, body]) => {
      const word = quoteWord(name);
      const described = fieldAt(body, ['desc']);
      const why = typeof described === 'string' ? `task ${word}: ${described.slice(0, 160)}` : `task ${word}`;
      return { task: taskOf(name), command: `task ${word}`, file, why };
    });
}
