import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';

/**
 * Names that the `.gitignore` files above a directory leave out wherever they occur, such as `node_modules`.
 * It only spares ripgrep the way there: what it finds is compared with all rules afterwards. Nothing, if a
 * rule takes something back; a rule further down that does so is not known here, and comes too late.
 */
export async function pruneGlobs(boundary: Boundary, relative: string): Promise<readonly string[]> {
  const rules: string[] = [];
  for (const directory of directoriesAbove(relative)) {
    const text = await readRules(boundary, `${directory}.gitignore`);
    rules.push(...text.split(/\r?\n/).map((line) => line.trimEnd()));
  }
  if (rules.some((rule) => rule.startsWith('!'))) return [];
  return rules.filter((rule) => plainName.test(rule)).slice(0, most);
}

const plainName = /^[\w.@~-]+\/?$/;
const most = 200;

/** From the root on, each with a slash at its end. */
function directoriesAbove(relative: string): readonly string[] {
  if (relative === '.') return [];
  const names = relative.split('/');
  return names.map((_name, depth) =>
    names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join(''),
  );
}

async function readRules(boundary: Boundary, path: string): Promise<string> {
  try {
    return await boundary.readText(path, { limit: 64 * 1024 });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return '';
  }
}
