import { operations } from '../../boundary/operation.ts';
import type { Operation } from '../../boundary/operation.ts';
import type { Root } from '../../path/root.ts';
import type { Policy } from '../../policy/policy.ts';
import { escapeText } from '../../quote.ts';

export interface Situation {
  readonly policy: Policy;
  /** What the operator named. */
  readonly ceiling: readonly Root[] | undefined;
  /** The project, where it is known before any client came. */
  readonly project?: string;
  /** Whether the person keeps roots for this server. */
  readonly kept?: boolean;
}

/** What can be allowed at all, somewhere, maybe after a question. */
export function possibleOperations({ general, roots }: Policy): readonly Operation[] {
  const all = [general, ...roots.values()];
  return operations.filter((operation) => all.some(({ verdicts }) => verdicts[operation].verdict !== 'deny'));
}

/** A few lines for the model: where it is, what it may do, and whom to ask. */
export function writeInstructions({ policy, ceiling, project, kept = false }: Situation): string {
  const names = ceiling?.map(({ name }) => escapeText(name));
  return [
    'Files of one project, and nothing outside of it.',
    names === undefined
      ? `Roots: ${kept ? 'what the person keeps for this server, and ' : ''}what the client lists${project === undefined ? '' : `, else the project ${escapeText(project)}`}.`
      : `Roots: ${names.join(', ')}, and what the client may add to them.`,
    `Possible here: ${possibleOperations(policy).join(', ')}. Files that usually hold secrets are denied.`,
    'A path is absolute, relative to the project, or a file URI. A refusal says why, and what to do next.',
    'Call why if the project is the wrong one, and list_roots to see what can be reached.',
  ].join('\n');
}
