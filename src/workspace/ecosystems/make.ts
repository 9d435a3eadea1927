import { type BuildSystem, firstOf, textOf } from './build-system.ts';
import { quoteWord } from './quote-word.ts';
import { taskOf } from './task-of.ts';

const most = 60;

/**
 * The targets of a makefile. Best effort: what a makefile computes or includes is not seen, and neither are
 * targets that are files, which most readers do not mean.
 */
export const make: BuildSystem = {
  name: 'make',
  async find(directory) {
    const file = firstOf(directory, ['GNUmakefile', 'makefile', 'Makefile']);
    if (file === undefined) return [];
    const text = await textOf(directory, file);
    return targetsIn(text).map((name) => {
      const word = quoteWord(name);
      return { task: taskOf(name), command: `make ${word}`, file, why: `target ${word}`, bestEffort: true };
    });
  },
};

/** Declared phony, or a plain word followed by a colon: `a b: c`, but not `a := b`, `%.o: %.c` and `.SUFFIXES:`. */
function targetsIn(text: string): readonly string[] {
  const targets = new Set<string>();
  for (const line of text.split('\n')) {
    const { names } = /^(?<names>[\w.][^:=#$%\t]*?)\s?::?(?![=:])/.exec(line.slice(0, 400))?.groups ?? {};
    for (const name of (names ?? '').split(/\s+/)) if (/^[A-Za-z0-9][\w-]*$/.test(name)) targets.add(name);
  }
  return [...targets].slice(0, most);
}
