import { escapeText } from '../../base/quote.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { Root } from '../../path/root.ts';
import type { MergeMode } from '../../policy/merge.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { OwnToolName } from '../../server/settings/attach-options.ts';
import type { Tool } from '../../tools/tool/tool.ts';

export interface InstructionFacts {
  readonly policy: Policy;
  /** The directories that the operator named. */
  readonly ceiling: readonly Root[] | undefined;
  /** How operator and client combine; by default as over stdio. */
  readonly merge?: MergeMode;
  /** The project, if it is known before a client connects. */
  readonly project?: string;
  /** Whether the person stores roots for this server, and their present names. */
  readonly kept?: boolean | readonly string[];
  /** The offered tools. An operation that none of them needs is impossible here. */
  readonly tools?: readonly Pick<Tool, 'operations'>[];
  /** The tools of `attach` that are offered; all by default. */
  readonly ownTools?: readonly OwnToolName[];
}

/** The operations that can be allowed in some root, possibly after a question. */
export function possibleOperations({ general, roots }: Policy): readonly Operation[] {
  const all = [general, ...roots.values()];
  return operations.filter((operation) => all.some(({ verdicts }) => verdicts[operation].verdict !== 'deny'));
}

/** Writes a few lines for the model: the project, the permissions, and how to get more. */
export function writeInstructions(situation: InstructionFacts): string {
  const { project } = situation;
  return [
    project === undefined
      ? 'Files of one project, and nothing outside of it.'
      : `Files of the project ${escapeText(project)}${isSettled(situation) ? '' : ', unless the client names another'}; nothing outside of it.`,
    `Roots: ${rootsOf(situation)}.`,
    `Possible here: ${offeredOperations(situation).join(', ')}. Files that usually hold secrets are denied.`,
    'A path is absolute, relative to the project, or a file URI. A refusal says why, and what to do next.',
    ...adviceOf(situation),
  ].join('\n');
}

const advice: { readonly [Name in OwnToolName]?: string } = {
  why: 'Call why if the project is the wrong one.',
  list_roots: 'Call list_roots to see what can be reached.',
};

function adviceOf({ ownTools = ['why', 'list_roots'] }: InstructionFacts): readonly string[] {
  const given = (['why', 'list_roots'] as const).filter((name) => ownTools.includes(name));
  return given.length === 0 ? [] : [given.map((name) => advice[name]).join(' ')];
}

/** Whether no client can change the project. */
function isSettled({ merge, ceiling }: InstructionFacts): boolean {
  return merge === 'operator' || (merge === 'intersect' && ceiling?.length === 1);
}

function rootsOf({ ceiling, kept = false, merge = 'union', project }: InstructionFacts): string {
  const found = project === undefined ? undefined : `the project ${escapeText(project)}`;
  if (ceiling !== undefined) return named[merge](namesIn(ceiling.map(({ name }) => name)));
  if (kept === false) return unnamed[merge](found);
  const now = kept === true || kept.length === 0 ? '' : ` (now ${namesIn(kept)})`;
  return `what the person keeps for this server${now}, and ${unnamed[merge](found)}`;
}

function namesIn(names: readonly string[]): string {
  return names.map(escapeText).join(', ');
}

/** If the operator named directories. */
const named: { readonly [Mode in MergeMode]: (names: string) => string } = {
  union: (names) => `${names}, and what the client adds to them`,
  intersect: (names) => `${names}, or what the client lists of them`,
  client: () => 'what the client lists, and nothing else',
  operator: (names) => names,
};

/** If the operator named none. */
const unnamed: { readonly [Mode in MergeMode]: (project: string | undefined) => string } = {
  union: (project) => `what the client lists${project === undefined ? '' : `, else ${project}`}`,
  intersect: () => 'none, until the operator of the server names a directory',
  client: () => 'what the client lists, and nothing else',
  operator: (project = 'the project, once there is one') => project,
};

function offeredOperations({ policy, tools }: InstructionFacts): readonly Operation[] {
  const possible = possibleOperations(policy);
  if (tools === undefined) return possible;
  return possible.filter((operation) => tools.some(({ operations: needed }) => needed.includes(operation)));
}
