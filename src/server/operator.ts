import type { AttachOptions, OperatorWord } from './attach-options.ts';
import { failedInside } from './failed-inside.ts';
import type { Settings } from './settings.ts';

/** Somebody whose word may change while the server runs. */
export interface Operator {
  readonly ask: () => Promise<OperatorWord | undefined>;
  /** What was said last, for whoever cannot wait; `undefined` if nobody asked. */
  readonly heard: () => { readonly word: OperatorWord | undefined } | undefined;
}

export function createOperator(ask: NonNullable<AttachOptions['operator']>): Operator {
  let heard: ReturnType<Operator['heard']>;
  return {
    async ask() {
      try {
        const word = await ask();
        heard = { word };
        return word;
      } catch (error) {
        throw failedInside(error);
      }
    },
    heard: () => heard,
  };
}

/** The settings with what the operator says now. Whoever cannot be asked has not allowed anything: it fails. */
export async function settingsNow(settings: Settings): Promise<Settings> {
  return settings.operator === undefined ? settings : withWord(settings, await settings.operator.ask());
}

/** The same without asking; `undefined` where nothing was said so far. */
export function settingsKnown(settings: Settings): Settings | undefined {
  if (settings.operator === undefined) return settings;
  const heard = settings.operator.heard();
  return heard && withWord(settings, heard.word);
}

function withWord(settings: Settings, word: OperatorWord | undefined): Settings {
  if (word === undefined) return settings;
  const { ceiling, policy, revision } = word;
  return { ...settings, ceiling, policy, said: revision };
}
