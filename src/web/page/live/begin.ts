import { ApiError } from './api.ts';
import { goLive } from './live.ts';
import type { PageModel } from './model.ts';

/** The parts of the location that are needed here. */
export interface PageAddress {
  readonly hash: string;
  readonly pathname: string;
}

/** Logs the page in. The secret of the link is removed from the address first. */
export async function begin(
  model: PageModel,
  { hash, pathname }: PageAddress = location,
  live: (model: PageModel) => void = goLive,
): Promise<void> {
  const { api, refusal, status } = model;
  const token = tokenIn(hash);
  if (token !== undefined) history.replaceState(null, '', pathname);
  try {
    await api.enter(token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The link was used in this very window, which is logged in already.
    const isBack = token !== undefined && (await isIn(model));
    if (!isBack) {
      refusal.value = error.view;
      status.value = 'closed';
      return;
    }
  }
  const wasLive = status.value === 'live' || status.value === 'lost';
  if (!wasLive) live(model);
}

/** Returns the secret of a link in the address; names of views are shorter. */
export function tokenIn(hash: string): string | undefined {
  return /^#([\w-]{43})$/.exec(hash)?.[1];
}

function isIn({ api }: PageModel): Promise<boolean> {
  return api.enter(undefined).then(
    () => true,
    () => false,
  );
}
