import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { RootwardError } from '../../errors.ts';
import type { Root } from '../../path/root.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { AttachOptions, OperatorWord } from './attach-options.ts';

/** The operator's settings, which may change while the server runs. */
export interface Operator {
  readonly ask: () => Promise<OperatorWord | undefined>;
  /** The last settings, for callers that cannot wait; `undefined` if they were never asked for. */
  readonly lastAnswer: () => { readonly word: OperatorWord | undefined } | undefined;
}

/** The settings that the operator can replace. */
export interface OperatorSettings {
  readonly operator: Operator | undefined;
  readonly ceiling: readonly Root[] | undefined;
  readonly policy: Policy;
  readonly refused: readonly Root[];
  readonly operatorRevision: number | undefined;
}

export function createOperator(ask: NonNullable<AttachOptions['operator']>): Operator {
  let last: ReturnType<Operator['lastAnswer']>;
  return {
    async ask() {
      try {
        const word = await ask();
        last = { word };
        return word;
      } catch (error) {
        throw failedInside(error);
      }
    },
    lastAnswer: () => last,
  };
}

/** The settings with the operator's present ones. If asking fails, so does this: nothing is allowed by default. */
export async function settingsNow<Settings extends OperatorSettings>(settings: Settings): Promise<Settings> {
  return settings.operator === undefined ? settings : withWord(settings, await settings.operator.ask());
}

/** The same without asking; `undefined` if the operator was never asked. */
export function settingsKnown<Settings extends OperatorSettings>(settings: Settings): Settings | undefined {
  if (settings.operator === undefined) return settings;
  const last = settings.operator.lastAnswer();
  return last && withWord(settings, last.word);
}

function withWord<Settings extends OperatorSettings>(
  settings: Settings,
  word: OperatorWord | undefined,
): Settings {
  if (word === undefined) return settings;
  const { ceiling, policy, refused = [], revision } = word;
  return { ...settings, ceiling, policy, refused, operatorRevision: revision };
}

/**
 * Turns an unexpected failure into an error that shows the client an id only. The details go to stderr as a
 * warning, because system messages name paths.
 */
export function failedInside(error: unknown): RootwardError {
  if (RootwardError.is(error)) return error;
  const id = randomUUID();
  process.emitWarning(`Rootward failed inside (${id}): ${inspect(error)}`);
  return new RootwardError('INTERNAL', { id }, { cause: error });
}
