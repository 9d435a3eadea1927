import { setTimeout } from 'node:timers/promises';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { findDirectories } from '../config/own-directory.ts';
import { parsePolicy } from '../policy/rules/policy.ts';
import type { AskConsent } from '../policy/settle.ts';
import type { Trace } from '../server/settings/trace-event.ts';
import { createConnectionLog } from '../web/processes/connection-log.ts';
import { askOnPage } from '../web/processes/page-consent.ts';
import { announce, type ProcessAnnouncement, type ProcessFacts } from '../web/processes/running.ts';
import type { CliContext } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

/** This process as the page sees it. */
export interface AnnouncedServe {
  /** Asks on the page. */
  readonly ask: AskConsent;
  /** Tells the page of the server's clients. */
  readonly trace: Trace;
  /** To be called when the server is ready: tells the page that it is there. */
  begin(version: string): void;
  /** Where it listens. */
  readonly opened: (url: string) => void;
  /** Hears what the endpoint records: a session may have ended. */
  readonly heard: (event: object) => void;
  close(): Promise<void>;
}

/** What of the settings concerns the page. */
export type AnnouncedSettings = Pick<
  ServeSettings,
  'server' | 'store' | 'limited' | 'policy' | 'directories'
>;

/** Milliseconds in which the first answers are given: what is done for the page comes after them. */
const calm = 300;

/**
 * Announces a server to the page. Nobody waits for it: a client gets its first answer as soon as without. Where
 * nothing can be written, there is no page for this server, and nothing else is missing.
 *
 * @throws {RootwardError} `SHARED_PLACE`: whoever else can write there would answer its questions
 */
export function announceServe(context: CliContext, settings: AnnouncedSettings): AnnouncedServe {
  const { state } = findDirectories(context.process.env ?? {});
  requireOwnPlace(state);
  let opening: Promise<ProcessAnnouncement | undefined> = Promise.resolve(undefined);
  const ending = new AbortController();
  const log = createConnectionLog({
    onChange: () => say({ connections: log.connections() }),
    onGone: (session) => consent.forget(session),
  });
  const consent = askOnPage({
    announced: () => opening,
    server: settings.server,
    follows: createFollows(settings),
    idOf: (session) => log.idOf(session),
  });
  const say = (change: Partial<ProcessFacts>): void => {
    void opening.then((announcement) => announcement?.update(change));
  };
  return {
    ask: consent.ask,
    trace: log.trace,
    begin(version) {
      opening = setTimeout(calm, undefined, { ref: false, signal: ending.signal })
        .then(() => announce(state, sayFirst(context, settings, version)))
        .catch(() => undefined);
    },
    opened: (url) => say({ url }),
    heard(event) {
      const { kind, session } = event as { readonly kind?: unknown; readonly session?: unknown };
      if (kind === 'session-ended' && typeof session === 'string') log.ended(session);
    },
    async close() {
      ending.abort();
      log.close();
      await (await opening)?.close();
    },
  };
}

function sayFirst({ cwd }: CliContext, settings: AnnouncedSettings, version: string): ProcessFacts {
  const { server, policy, limited, store: follows, directories } = settings;
  const rules = { policy, limited, follows, ...(directories && { directories }) };
  return { command: 'serve', version, directory: cwd, server, rules, connections: [] };
}

/** Where the command asks anyway, whatever is kept, a kept answer would change nothing. */
function createFollows({ store, limited, policy }: AnnouncedSettings): (operation: Operation) => boolean {
  const { verdicts } = parsePolicy(policy).general;
  return (operation) => store && (!limited || verdicts[operation].verdict === 'allow');
}
