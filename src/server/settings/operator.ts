import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { RootwardError } from '../../errors.ts';
import type { Root } from '../../path/root.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { AttachOptions, OperatorWord } from './attach-options.ts';

/** Somebody whose word may change while the server runs. */
export interface Operator {
  readonly ask: () => Promise<OperatorWord | undefined>;
  /** What was said last, for whoever cannot wait; `undefined` if nobody asked. */
  readonly lastAnswer: () => { readonly word: OperatorWord | undefined } | undefined;
}

/** What the word of an operator replaces in the settings. */
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

/** The settings with what the operator says now. Whoever cannot be asked has not allowed anything: it fails. */
export async function settingsNow<Settings extends OperatorSettings>(settings: Settings): Promise<Settings> {
  return settings.operator === undefined ? settings : withWord(settings, await settings.operator.ask());
}

/** The same without asking; `undefined` where nothing was said so far. */
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
 * What a client is told of a failure that nobody foresaw: a number. The rest is a warning of the process, which
 * goes to stderr, because messages of the system name paths.
 */
export function failedInside(error: unknown): RootwardError {
  if (RootwardError.is(error)) return error;
  const id = randomUUID();
  process.emitWarning(`Rootward failed inside (${id}): ${inspect(error)}`);
  return new RootwardError('INTERNAL', { id }, { cause: error });
}
