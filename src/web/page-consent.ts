import type { AskConsent } from '../policy/settle.ts';
import type { Announcement } from './running.ts';

export interface PageConsentOptions {
  /** How long a person may think. Milliseconds; as long as whoever asks waits. */
  readonly patience?: number;
  readonly now?: () => Date;
}

/**
 * Asks on the page, where one is open; otherwise the client asks, if it can. What was answered for the session
 * holds for the same client, root and operation as long as this process lives.
 */
export function askOnPage(
  announced: () => Promise<Announcement | undefined>,
  { patience = 120_000, now = () => new Date() }: PageConsentOptions = {},
): AskConsent {
  const session = new Map<string, boolean>();
  return async (question) => {
    const { request, root, reason, signal, caller = 'A client without a name', askClient } = question;
    const { operation, path } = request;
    const key = JSON.stringify([caller, root, operation]);
    const before = session.get(key);
    if (before !== undefined) return before;
    const open = await announced();
    if (open === undefined || !(await open.hasPage())) return askClient?.(question);
    const until = new Date(now().getTime() + patience).toISOString();
    const answer = await open.ask(
      { kind: 'access', who: caller, operation, path, roots: [root], reason, until },
      signal,
    );
    if (answer === undefined) return false;
    if (answer !== 'once') session.set(key, answer !== 'never');
    return answer !== 'never';
  };
}
