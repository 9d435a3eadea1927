import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { compileGlobs } from '../../path/glob.ts';
import { ownTools } from '../../server/call/own-tools.ts';
import type { OwnToolName } from '../../server/settings/attach-options.ts';
import { allTools } from '../../tools/all-tools.ts';

/** The tools that the operator wants to be listed. */
export interface ToolChoice {
  /** Globs of names; all tools by default. */
  readonly tools?: readonly string[] | undefined;
  /** Globs of names to leave out. */
  readonly noTools?: readonly string[] | undefined;
}

/**
 * Returns whether a tool is chosen, by its name.
 *
 * @throws {RootwardError} `INVALID_CONFIG` for a glob that matches no tool, and `INVALID_GLOB`
 */
export function chooseTools({ tools, noTools }: ToolChoice): (name: string) => boolean {
  const wanted = tools && compileNames('--tools', tools);
  const unwanted = noTools && compileNames('--no-tools', noTools);
  return (name) => (wanted?.(name) ?? true) && unwanted?.(name) !== true;
}

const knownNames: readonly string[] = [
  ...allTools.map(({ name }) => name),
  'shell',
  ...Object.keys(ownTools),
];

function compileNames(flag: string, globs: readonly string[]): (name: string) => boolean {
  for (const glob of globs) {
    const one = compileGlobs([glob]);
    if (knownNames.some((name) => one.match(name) !== undefined)) continue;
    throw new RootwardError('INVALID_CONFIG', { where: flag, reason: `no tool is called ${quote(glob)}` });
  }
  const all = compileGlobs(globs);
  return (name) => all.match(name) !== undefined;
}

/** The chosen ones among the tools that `attach` adds. */
export function chooseOwnTools(isChosen: (name: string) => boolean): readonly OwnToolName[] {
  return Object.values(ownTools).flatMap(({ name }) => (isChosen(name) ? [name] : []));
}
