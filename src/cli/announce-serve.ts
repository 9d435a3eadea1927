import { setTimeout } from 'node:timers/promises';
import { findDirectories } from '../config/directories.ts';
import type { KitOptions } from '../tools/ready/kit.ts';
import { createConnectionLog } from '../web/connection-log.ts';
import { askOnPage } from '../web/page-consent.ts';
import { announce, type Announcement } from '../web/running.ts';
import type { CliContext } from './command-context.ts';

/** This process as the page sees it. */
export interface AnnouncedServe {
  /** The same server, telling the page of its clients and asking there. */
  join(kit: KitOptions): KitOptions;
  /** Where it listens. */
  readonly opened: (url: string) => void;
  close(): Promise<void>;
}

/** Milliseconds in which the first answers are given: what is done for the page comes after them. */
const calm = 300;

/**
 * Announces a server to the page. Nobody waits for it: a client gets its first answer as soon as without. Where
 * nothing can be written, there is no page for this server, and nothing else is missing.
 */
export function announceServe({ cwd, process: { env = {} } }: CliContext): AnnouncedServe {
  let opening: Promise<Announcement | undefined> = Promise.resolve(undefined);
  const ending = new AbortController();
  const log = createConnectionLog({ onChange: () => say({ connections: log.connections() }) });
  const say = (change: Parameters<Announcement['say']>[0]): void => {
    void opening.then((announcement) => announcement?.say(change));
  };
  return {
    join(kit) {
      const said = { command: 'serve', version: kit.version, directory: cwd, connections: [] } as const;
      opening = setTimeout(calm, undefined, { ref: false, signal: ending.signal })
        .then(() => announce(findDirectories(env).state, said))
        .catch(() => undefined);
      const { trace } = kit.attach;
      return {
        ...kit,
        attach: {
          ...kit.attach,
          ask: askOnPage(() => opening),
          trace(event, connection) {
            trace?.(event, connection);
            log.trace(event, connection);
          },
        },
      };
    },
    opened: (url) => say({ url }),
    async close() {
      ending.abort();
      await (await opening)?.close();
    },
  };
}
