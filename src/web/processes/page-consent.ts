import { basename } from 'node:path';
import { shorten } from '../../base/quote.ts';
import { type AskConsent, type ConsentQuestion, notAsked, placeBehind } from '../../policy/settle.ts';
import type { SwitchAsking, SwitchQuestion } from '../../server/settings/attach-options.ts';
import type { PageReply } from './answer-question.ts';
import type { SessionKey } from './connection-log.ts';
import type { ProcessAnnouncement, PageQuestion } from './running.ts';

export interface PageConsentOptions {
  readonly announced: () => Promise<ProcessAnnouncement | undefined>;
  /** The same without waiting; `undefined` until the server is announced. */
  readonly announcedNow?: () => ProcessAnnouncement | undefined;
  /** The name by which the root store knows this server. */
  readonly server?: string;
  /** Whether stored permissions for an operation affect this server. */
  readonly follows?: (operation: ConsentQuestion['request']['operation']) => boolean;
  /** The id by which the page knows a client. */
  readonly idOf?: (session: SessionKey | undefined) => string | undefined;
  /** Milliseconds that a person has to answer; by default as long as the caller waits. */
  readonly patience?: number;
  readonly now?: () => Date;
}

/** Asks on the page, and remembers answers for the session of a client. */
export interface PageConsent {
  readonly ask: AskConsent;
  /** Asks for the directory of a client that cannot ask its person itself. */
  readonly switching: SwitchAsking;
  /** Forgets the answers for the session of a client that is gone. */
  readonly forget: (session: SessionKey) => void;
}

/**
 * Asks on a visible page if there is one; otherwise through the client, if it can; otherwise on a hidden page. An
 * answer for the session holds for the same client, place and operation until the client is gone. The page stores
 * lasting answers, and they count only as long as they are stored.
 */
export function askOnPage(options: PageConsentOptions): PageConsent {
  const sessions = new Map<SessionKey, Map<string, boolean>>();
  return {
    forget: (session) => void sessions.delete(session),
    switching: {
      // A refusal that only mentions the page does not wait for the announcement.
      canAsk: async () => (await options.announcedNow?.()?.findPage()) !== undefined,
      async ask(question) {
        const open = await options.announced();
        if (open === undefined || (await open.findPage()) === undefined) return undefined;
        const reply = await open.ask(toSwitchQuestion(question, options), question.signal);
        return reply !== undefined && reply.answer !== 'never';
      },
    },
    async ask(question) {
      const { session, signal } = question;
      const before = session && sessions.get(session)?.get(keyOf(question));
      if (before !== undefined) return before;
      const open = await options.announced();
      const page = await open?.findPage();
      const asksClient = page === undefined || (page === 'hidden' && question.askClient !== undefined);
      if (open === undefined || asksClient)
        return question.askClient === undefined ? notAsked : question.askClient(question);
      const reply = await open.ask(toQuestion(question, options), signal);
      if (reply === undefined) return false;
      if (isForSession(reply)) remember(sessions, question, reply.answer !== 'never');
      return reply.answer !== 'never';
    },
  };
}

/** The place is part of the key: a root of the same name elsewhere is a different root. */
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

function toSwitchQuestion(question: SwitchQuestion, options: PageConsentOptions): PageQuestion {
  const { project, place, allowed, session, caller = 'A client without a name' } = question;
  const { server, idOf, patience = 120_000, now = () => new Date() } = options;
  const connection = idOf?.(session);
  return {
    kind: 'switch',
    who: caller,
    path: project,
    ...(place === project ? {} : { real: place }),
    whole: true,
    tool: 'switch_project',
    roots: [basename(place)],
    places: [place],
    ...(server === undefined ? {} : { server }),
    ...(connection === undefined ? {} : { connection }),
    session: true,
    follows: false,
    reason: `no directory is allowed yet; it may then: ${allowed}. Secrets stay refused`,
    until: new Date(now().getTime() + patience).toISOString(),
  };
}

/** Characters of a command line that are shown to a person. */
const mostShown = 3_900;

function shownDetail(detail: string): string {
  if (detail.length <= mostShown) return detail;
  return `${shorten(detail, mostShown)} (${detail.length} characters, not all shown)`;
}

/** A lasting answer that was saved is not remembered here as well: the person can withdraw it in the store. */
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
