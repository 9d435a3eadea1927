import { RootwardError } from '../../errors.ts';

/** Resolves to `undefined` if the act failed because nothing has that name. */
export async function ifThere<Value>(act: Promise<Value>): Promise<Value | undefined> {
  try {
    return await act;
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
