import { setTimeout } from 'node:timers/promises';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { findDirectories } from '../config/own-directory.ts';
import { parsePolicy } from '../policy/rules/policy.ts';
import type { AskConsent } from '../policy/settle.ts';
import type { SwitchAsking } from '../server/settings/attach-options.ts';
import type { Trace } from '../server/settings/trace-event.ts';
import { createConnectionLog } from '../web/processes/connection-log.ts';
import { askOnPage } from '../web/processes/page-consent.ts';
import { announce, type ProcessAnnouncement, type ProcessFacts } from '../web/processes/running.ts';
import type { CliContext } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

/** The announcement of this server to the page. */
export interface AnnouncedServe {
  /** Asks on the page. */
  readonly ask: AskConsent;
  /** Asks there for the directory of a client. */
  readonly askSwitch: SwitchAsking;
  /** Reports the server's clients to the page. */
  readonly trace: Trace;
  /** Announces the server, once it is ready. */
  begin(version: string): void;
  /** Reports the address it listens on. */
  readonly opened: (url: string) => void;
  /** Receives the endpoint's records, one of which may end a session. */
  readonly onRecord: (event: object) => void;
  close(): Promise<void>;
}

/** The settings that the page shows. */
export type AnnouncedSettings = Pick<
  ServeSettings,
  'server' | 'store' | 'limited' | 'policy' | 'directories'
>;

/** Milliseconds for the first answers; work for the page starts after them. */
const calm = 300;

/**
 * Announces a server to the page in the background, so that a client's first answer is not delayed. If the state
 * directory cannot be written, the page does not show this server and nothing else changes.
 *
 * @throws {RootwardError} `SHARED_PLACE`, because another user who can write there could answer its questions
 */
export function announceServe(context: CliContext, settings: AnnouncedSettings): AnnouncedServe {
  const { state } = findDirectories(context.process.env ?? {});
  requireOwnPlace(state);
  let opening: Promise<ProcessAnnouncement | undefined> = Promise.resolve(undefined);
  let opened: ProcessAnnouncement | undefined;
  const ending = new AbortController();
  const log = createConnectionLog({
    onChange: () => say({ connections: log.connections() }),
    onGone: (session) => consent.forget(session),
  });
  const consent = askOnPage({
    announced: () => opening,
    announcedNow: () => opened,
    server: settings.server,
    follows: createFollows(settings),
    idOf: (session) => log.idOf(session),
  });
  const say = (change: Partial<ProcessFacts>): void => {
    void opening.then((announcement) => announcement?.update(change));
  };
  return {
    ask: consent.ask,
    askSwitch: consent.switching,
    trace: log.trace,
    begin(version) {
      opening = setTimeout(calm, undefined, { ref: false, signal: ending.signal })
        .then(async () => (opened = await announce(state, sayFirst(context, settings, version))))
        .catch(() => undefined);
    },
    opened: (url) => say({ url }),
    onRecord(event) {
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

/** Whether a stored answer affects an operation. It does not if the command line asks in any case. */
function createFollows({ store, limited, policy }: AnnouncedSettings): (operation: Operation) => boolean {
  const { verdicts } = parsePolicy(policy).general;
  return (operation) => store && (!limited || verdicts[operation].verdict === 'allow');
}
