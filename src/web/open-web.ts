import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RootwardError } from '../errors.ts';
import { closeGently } from '../http/connections.ts';
import { ownNames } from '../http/exchange/admission.ts';
import { type OpenPageState, openPageState } from './state/open-page-state.ts';
import { type LinkFiles, openLinkFiles } from './link-file.ts';
import { builtPage, loadPage } from './page-files.ts';
import {
  createPageSessions,
  forgetSite,
  keepSite,
  newSecret,
  type PageSessions,
  readKeptSite,
  sweepSites,
} from './page-sessions.ts';
import { type PageSite, servePage } from './serve-page.ts';
import { createEventHub, type EventHub } from './wire/event-hub.ts';
import type { ConnectView } from './wire/wire.ts';

export interface WebOptions {
  /** The store; that of the person by default. */
  readonly file?: string;
  /** Where the audit log is. */
  readonly log: string;
  /** Where processes announce themselves. */
  readonly state: string;
  /** Folders that can be looked through. */
  readonly tops: readonly string[];
  /** Whether only what lies in them may become a root. */
  readonly bounded?: boolean;
  /** Any free one by default. */
  readonly port?: number;
  /** Ends when no page is open for that long; a quarter of an hour by default, `Infinity` for never. Milliseconds. */
  readonly idleMs?: number;
  readonly version: string;
  /** Where the built page is. */
  readonly page?: string;
  /** Told what nobody foresaw. */
  readonly report?: (text: string) => void;
  /** The command that starts it again as it is, on this port. */
  readonly again?: (port: number) => string;
  /** How a client reaches the server beside it, where there is one. */
  readonly connect?: () => ConnectView | undefined;
}

/** The page, served on this machine alone. */
export interface Web extends AsyncDisposable {
  readonly port: number;
  /** A new link. It opens the page in one browser, once. Whoever sees it first can use it. */
  link(): string;
  /**
   * The URL of a file that leads a browser to a link: for the arguments of a program, which every user of the
   * machine can see. Its owner alone can read it. It is gone when the link is used, after two minutes, and at the
   * end.
   */
  linkFile(link: string): Promise<string>;
  /** How many browsers have the page open. */
  readonly pages: number;
  /** Fulfilled when nobody has looked for a while, or when it was closed. */
  readonly ended: Promise<'idle' | 'closed'>;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Serves the page where a person sees and steers roots. Reachable from this machine alone; each window needs a
 * link, which works once and leaves it a secret of its own. Another server on this machine is sent no cookie,
 * because it does not know the path that the cookie is for; and a cookie alone shows and changes nothing.
 * A GET changes nothing.
 *
 * Not guaranteed: anything against a program of the same person, which can read and write the same files anyway;
 * and what an open window sends to a program that took the port when this server was gone.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`, and what `openRootStore` throws
 */
export async function openWeb(options: WebOptions): Promise<Web> {
  const { page = builtPage } = options;
  const files = await loadPage(page);
  const shared: SharedHub = { hub: undefined };
  const pageState = await openPageState(options, (event) => shared.hub?.send(event));
  const idle = createIdleClock(options.idleMs ?? 15 * 60_000);
  const hub = createEventHub({
    onChange: ({ visible, hidden }, size) => {
      pageState.say({ pages: visible, hidden });
      idle.touch(size > 0);
    },
  });
  shared.hub = hub;
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.destroy();
  const server = newServer((request, response) => answer(request, response));
  try {
    const port = await bind(server, options.port ?? 0);
    const links = await openLinkFiles(pageState.state);
    const site = await createSite({ options, files, pageState, hub, port, links });
    answer = (request, response) => {
      idle.touch(hub.size > 0);
      void servePage(site, request, response);
    };
    pageState.say({ url: `http://${host}:${port}/` });
    return toWeb({ server, port, site, hub, pageState, idle, links });
  } catch (error) {
    hub.close();
    idle.stop();
    server.close();
    await pageState.close();
    throw error;
  }
}

interface SharedHub {
  hub: EventHub | undefined;
}

interface SiteParts {
  readonly options: WebOptions;
  readonly files: PageSite['files'];
  readonly pageState: OpenPageState;
  readonly hub: EventHub;
  readonly port: number;
  readonly links: LinkFiles;
}

async function createSite({ options, files, pageState, hub, port, links }: SiteParts): Promise<PageSite> {
  await sweepSites(pageState.state);
  const known = await readKeptSite(pageState.state, port);
  const prefix = known?.prefix ?? newSecret();
  const sessions: PageSessions = createPageSessions(known?.sessions);
  const again = options.again?.(port) ?? `rootward web --port ${port}`;
  return {
    names: ownNames({ port }),
    files,
    sessions,
    pageState: {
      ...pageState,
      about: { ...pageState.about, again, connect: options.connect !== undefined },
      watched: hub.watched,
      connect: () => options.connect?.(),
    },
    hub,
    prefix,
    cookieName: `rootward_${port}`,
    id: randomUUID(),
    report: options.report ?? (() => {}),
    opened(token) {
      links.used(linkTo(port, prefix, token));
      void keepSite(pageState.state, port, { prefix, sessions: sessions.kept() }).catch(() => {});
    },
  };
}

function linkTo(port: number, prefix: string, token: string): string {
  return `http://${host}:${port}/${prefix}/#${token}`;
}

interface WebParts {
  readonly server: Server;
  readonly port: number;
  readonly site: PageSite;
  readonly hub: EventHub;
  readonly pageState: OpenPageState;
  readonly idle: IdleClock;
  readonly links: LinkFiles;
}

function toWeb({ server, port, site, hub, pageState, idle, links }: WebParts): Web {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      idle.stop();
      await links.close();
      // Only a window that is open now can come back: the others have forgotten their proof.
      if (hub.size === 0) await forgetSite(pageState.state, port);
      hub.close();
      await closeGently(server, 1_000);
      await pageState.close();
    })();
    return closing;
  };
  return {
    port,
    link: () => linkTo(port, site.prefix, site.sessions.newToken()),
    linkFile: (link) => links.write(link),
    get pages() {
      return hub.size;
    },
    ended: idle.over,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function newServer(listener: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 },
    listener,
  );
  server.maxConnections = 256;
  server.maxHeadersCount = 0;
  return server;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'the system does not permit it',
};

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? `the system says ${error.code ?? 'nothing'}`;
      reject(new RootwardError('CANNOT_LISTEN', { address: `${host}:${port}`, reason }, { cause: error }));
    });
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Tells when nobody has looked for a while. */
export interface IdleClock {
  /** Something happened; while somebody looks, no time passes. */
  touch(watched: boolean): void;
  readonly over: Promise<'idle' | 'closed'>;
  stop(): void;
}

/** With `Infinity` it waits until it is stopped. */
export function createIdleClock(milliseconds: number): IdleClock {
  let end: (why: 'idle' | 'closed') => void = () => {};
  const over = new Promise<'idle' | 'closed'>((resolve) => {
    end = resolve;
  });
  const start = (): NodeJS.Timeout | undefined =>
    milliseconds === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(() => end('idle'), milliseconds).unref();
  let timer = start();
  return {
    touch(watched) {
      clearTimeout(timer);
      if (!watched) timer = start();
    },
    over,
    stop() {
      clearTimeout(timer);
      end('closed');
    },
  };
}
