import { AnswerPending } from '../policy/settle.ts';
import type { Account } from './account.ts';

/** How an act ended: nothing is thrown until it was written down. */
export type Ended<Result> = { readonly result: Result } | { readonly error: unknown };

/** An act that waits for the answer of a person has not ended, unless it has changed something already. */
export async function attempt<Result>(
  act: () => Result | Promise<Result>,
  account: Pick<Account, 'changes'> = { changes: [] },
): Promise<Ended<Result>> {
  try {
    return { result: await act() };
  } catch (error) {
    if (error instanceof AnswerPending && account.changes.length === 0) throw error;
    return { error };
  }
}
