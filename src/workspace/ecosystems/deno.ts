import { fieldAt } from './field-at.ts';
import { type BuildCommand, type BuildSystem, firstOf, valueOf } from './build-system.ts';
import { quoteWord } from './quote-word.ts';
import { taskOf } from './task-of.ts';

/** The tasks of a deno.json, and what Deno brings itself. */
export const deno: BuildSystem = {
  name: 'deno',
  async find(directory) {
    const file = firstOf(directory, ['deno.json', 'deno.jsonc']);
    if (file === undefined) return [];
    const tasks = fieldAt(await valueOf(directory, file, 'json'), ['tasks']);
    const own = typeof tasks === 'object' && tasks !== null ? Object.entries(tasks) : [];
    const commands = own.flatMap(([name, task]) => commandOf(file, name, task));
    const has = (task: BuildCommand['task']): boolean => commands.some((command) => command.task === task);
    const defaults: readonly BuildCommand[] = [
      { task: 'test', command: 'deno test', file, why: 'Deno finds tests by itself' },
      { task: 'lint', command: 'deno lint', file, why: 'Deno has a linter' },
      { task: 'format', command: 'deno fmt', file, why: 'Deno has a formatter' },
    ];
    return [...commands, ...defaults.filter(({ task }) => !has(task))];
  },
};

function commandOf(file: string, name: string, task: unknown): readonly BuildCommand[] {
  const text = typeof task === 'string' ? task : fieldAt(task, ['command']);
  if (typeof text !== 'string') return [];
  const word = quoteWord(name);
  return [
    { task: taskOf(name), command: `deno task ${word}`, file, why: `task ${word}: ${text.slice(0, 160)}` },
  ];
}
