import { RootwardError } from '../../../src/errors.ts';
import { quote } from '../../../src/base/quote.ts';

/** What a failure says, and what it should have kept to itself. */
export interface Refusal {
  readonly code: string;
  /** Whether the message repeats the path as it was asked. */
  readonly asked: boolean;
  /** Secrets that are told other than as part of the path that was asked. */
  readonly leaks: readonly string[];
  /** Everything that leaves the process. */
  readonly words: string;
}

export interface Asked {
  readonly path: string;
  readonly secrets: readonly string[];
}

/** Runs something that has to be refused, and reads the refusal. */
export async function refusalOf(run: () => Promise<unknown>, { path, secrets }: Asked): Promise<Refusal> {
  const error = await failureOf(run);
  if (!RootwardError.is(error)) throw error;
  const words = JSON.stringify(error);
  const said = words.replaceAll(JSON.stringify(path).slice(1, -1), '');
  return {
    code: error.code,
    asked: error.message.includes(quote(path)),
    leaks: secrets.filter((text) => said.includes(text)),
    words,
  };
}

/** A refusal as it should be. */
export function refusedWith(code: string): Omit<Refusal, 'words'> {
  return { code, asked: true, leaks: [] };
}

async function failureOf(run: () => Promise<unknown>): Promise<Error> {
  try {
    const result = await run();
    return new Error(`it was not refused: ${JSON.stringify(result)}`);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
