import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { ConsentChoice } from '../wire/wire.ts';

/** A question that another process asked. */
export interface AnswerTo {
  readonly process: string;
  readonly question: string;
  /**
   * Runs before the answer is delivered, so that a saved answer already counts for the next call. Resolves to
   * whether it was saved.
   */
  readonly keep?: () => Promise<boolean>;
}

/** An answer as the asking process receives it. */
export interface PageReply {
  readonly answer: ConsentChoice;
  /** Whether the answer was saved in the root store and need not be remembered elsewhere. */
  readonly kept: boolean;
}

/** Answers a question of another process. The first answer counts; returns `undefined` for a later one. */
export async function answerQuestion(
  boundary: Boundary,
  { process: id, question, keep = async () => false }: AnswerTo,
  answer: ConsentChoice,
): Promise<PageReply | undefined> {
  const taken = takenName(id, question);
  try {
    await boundary.write(taken, '', { exclusive: true, mode: 0o600 });
  } catch (error) {
    if (RootwardError.is(error, 'ALREADY_EXISTS')) return undefined;
    throw error;
  }
  try {
    const reply: PageReply = { answer, kept: await keep() };
    await boundary.write(answerName(id, question), JSON.stringify(reply), { mode: 0o600 });
    return reply;
  } catch (error) {
    // The answer was not delivered, so the person can try again.
    await boundary.remove(taken).catch(() => {});
    throw error;
  }
}

const answers: readonly unknown[] = ['once', 'session', 'always', 'never'] satisfies readonly ConsentChoice[];

/** Reads an answer; anything unreadable means no. */
export function readReply(value: unknown): PageReply {
  const { answer, kept } = (value ?? {}) as { readonly answer?: unknown; readonly kept?: unknown };
  return answers.includes(answer)
    ? { answer: answer as ConsentChoice, kept: kept === true }
    : { answer: 'never', kept: false };
}

export function answerName(process: string, question: string): string {
  return `${process}.${question}.answer`;
}

/** The file that marks a question as being answered. */
export function takenName(process: string, question: string): string {
  return `${process}.${question}.taken`;
}
