import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { ConsentChoice } from '../wire/wire.ts';

/** A question of another process. */
export interface AnswerTo {
  readonly process: string;
  readonly question: string;
  /** Done before the answer is heard, so that what is written down counts when the next call comes. Says whether it was. */
  readonly keep?: () => Promise<boolean>;
}

/** An answer as the process that asked gets it. */
export interface PageReply {
  readonly answer: ConsentChoice;
  /** Whether it is written down among the roots, and need not be remembered elsewhere. */
  readonly kept: boolean;
}

/** Answers a question of another process. The first answer counts; `undefined` for a later one. */
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
    // Nothing was answered: somebody can try again.
    await boundary.remove(taken).catch(() => {});
    throw error;
  }
}

const answers: readonly unknown[] = ['once', 'session', 'always', 'never'] satisfies readonly ConsentChoice[];

/** What cannot be understood is a no. */
export function readReply(value: unknown): PageReply {
  const { answer, kept } = (value ?? {}) as { readonly answer?: unknown; readonly kept?: unknown };
  return answers.includes(answer)
    ? { answer: answer as ConsentChoice, kept: kept === true }
    : { answer: 'never', kept: false };
}

export function answerName(process: string, question: string): string {
  return `${process}.${question}.answer`;
}

/** Stands for an answer that is on its way. */
export function takenName(process: string, question: string): string {
  return `${process}.${question}.taken`;
}
