/** How an act ended: nothing is thrown until it was written down. */
export type Ended<Result> = { readonly result: Result } | { readonly error: unknown };

export async function attempt<Result>(act: () => Result | Promise<Result>): Promise<Ended<Result>> {
  try {
    return { result: await act() };
  } catch (error) {
    return { error };
  }
}
