import { shorten } from '../../base/quote.ts';
import { type AskConsent, type ConsentQuestion, placeBehind } from '../../policy/settle.ts';
import type { PageReply } from './answer-question.ts';
import type { SessionKey } from './connection-log.ts';
import type { ProcessAnnouncement, PageQuestion } from './running.ts';

export interface PageConsentOptions {
  readonly announced: () => Promise<ProcessAnnouncement | undefined>;
  /** The name by which kept roots know this server. */
  readonly server?: string;
  /** Whether what is kept about an operation changes what this server permits. */
  readonly follows?: (operation: ConsentQuestion['request']['operation']) => boolean;
  /** By which the page knows a client. */
  readonly idOf?: (session: SessionKey | undefined) => string | undefined;
  /** How long a person may think. Milliseconds; as long as whoever asks waits. */
  readonly patience?: number;
  readonly now?: () => Date;
}

/** Questions to the page, and what was answered for as long as a client stays. */
export interface PageConsent {
  readonly ask: AskConsent;
  /** A client is gone: what was answered for its session is over. */
  readonly forget: (session: SessionKey) => void;
}

/**
 * Asks on the page, where one is in front of somebody; otherwise the client asks, if it can; otherwise a page that
 * is put away. What was answered for the session holds for the same client, place and operation until the client
 * is gone. What was answered for good is kept by the page, and holds because it is kept there.
 */
export function askOnPage(options: PageConsentOptions): PageConsent {
  const sessions = new Map<SessionKey, Map<string, boolean>>();
  return {
    forget: (session) => void sessions.delete(session),
    async ask(question) {
      const { session, signal } = question;
      const before = session && sessions.get(session)?.get(keyOf(question));
      if (before !== undefined) return before;
      const open = await options.announced();
      const page = await open?.findPage();
      const asksClient = page === undefined || (page === 'hidden' && question.askClient !== undefined);
      if (open === undefined || asksClient) return question.askClient?.(question);
      const reply = await open.ask(toQuestion(question, options), signal);
      if (reply === undefined) return false;
      if (isForSession(reply)) remember(sessions, question, reply.answer !== 'never');
      return reply.answer !== 'never';
    },
  };
}

/** A root of the same name elsewhere is another one. */
function keyOf({ root, place = root, request: { operation } }: ConsentQuestion): string {
  return JSON.stringify([place, operation]);
}

function toQuestion(question: ConsentQuestion, options: PageConsentOptions): PageQuestion {
  const { request, root, place, reason, session, caller = 'A client without a name' } = question;
  const { server, follows = () => false, idOf, patience = 120_000, now = () => new Date() } = options;
  const { operation, path, tool, detail } = request;
  const real = placeBehind(question);
  const connection = idOf?.(session);
  return {
    kind: 'access',
    who: caller,
    operation,
    path,
    ...(tool === undefined ? {} : { tool }),
    ...(real === undefined ? {} : { real }),
    ...(question.at.whole && operation !== 'execute' ? { whole: true } : {}),
    ...(detail === undefined ? {} : { detail: shownDetail(detail) }),
    roots: [root],
    places: place === undefined ? [] : [place],
    ...(server === undefined ? {} : { server }),
    ...(connection === undefined ? {} : { connection }),
    session: session !== undefined,
    follows: follows(operation),
    reason,
    until: new Date(now().getTime() + patience).toISOString(),
  };
}

/** Characters of a command line that a person gets to read. */
const mostShown = 3_900;

function shownDetail(detail: string): string {
  if (detail.length <= mostShown) return detail;
  return `${shorten(detail, mostShown)} (${detail.length} characters, not all shown)`;
}

/** What can be kept is kept, and nowhere else: it can be taken back there. */
function isForSession({ answer, kept }: PageReply): boolean {
  return answer !== 'once' && !kept;
}

function remember(
  sessions: Map<SessionKey, Map<string, boolean>>,
  question: ConsentQuestion,
  allowed: boolean,
): void {
  const { session } = question;
  if (session === undefined) return;
  const own = sessions.get(session) ?? new Map<string, boolean>();
  sessions.set(session, own.set(keyOf(question), allowed));
}
