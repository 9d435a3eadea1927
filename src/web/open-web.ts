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
  /** The store file; by default that of the person. */
  readonly file?: string;
  /** The directory of the audit log. */
  readonly log: string;
  /** The directory where processes announce themselves. */
  readonly state: string;
  /** Folders that the page can browse. */
  readonly tops: readonly string[];
  /** Whether only places inside the tops may become roots. */
  readonly bounded?: boolean;
  /** By default any free port. */
  readonly port?: number;
  /** Milliseconds without an open page after which the server ends; 15 minutes by default, `Infinity` for never. */
  readonly idleMs?: number;
  readonly version: string;
  /** The directory of the built page. */
  readonly page?: string;
  /** Receives unexpected errors. */
  readonly report?: (text: string) => void;
  /** Returns the command that starts this server again on the same port. */
  readonly again?: (port: number) => string;
  /** How a client reaches the server beside the page, if there is one. */
  readonly connect?: () => ConnectView | undefined;
}

/** The page, served on this machine only. */
export interface Web extends AsyncDisposable {
  readonly port: number;
  /** Makes a new link. It opens the page once, for the first browser that uses it. */
  link(): string;
  /**
   * Returns the URL of a file that redirects a browser to a link, for use in the arguments of a program, which every
   * user of the machine can see. Only the owner can read the file. It is removed when the link is used, after two
   * minutes, and at the end.
   */
  linkFile(link: string): Promise<string>;
  /** Number of browsers that have the page open. */
  readonly pages: number;
  /** Resolves when no page has been open for a while, or when it was closed. */
  readonly ended: Promise<'idle' | 'closed'>;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Serves the page where a person sees and changes roots. Only this machine can reach it. Each window needs a link,
 * which works once and gives that window its own secret. The cookie is bound to a secret path, so the browser does
 * not send it to other servers on this machine; and a cookie alone shows and changes nothing. A GET changes
 * nothing.
 *
 * Not guaranteed: protection from a program of the same person, which can read and write the same files anyway,
 * and from a program that takes over the port after this server has ended while a window is still open.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`, and the errors of `openRootStore`
 */
export async function openWeb(options: WebOptions): Promise<Web> {
  const { page = builtPage } = options;
  const files = await loadPage(page);
  const shared: SharedHub = { hub: undefined };
  const pageState = await openPageState(options, (event) => shared.hub?.send(event));
  const idle = createIdleClock(options.idleMs ?? 15 * 60_000);
  const hub = createEventHub({
    onChange: ({ visible, hidden }, size) => {
      pageState.updateProcess({ pages: visible, hidden });
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
    pageState.updateProcess({ url: `http://${host}:${port}/` });
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
      setWindows: hub.setWindows,
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
      // Only a window that is still open can reconnect; a closed one has lost its secret.
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

/** Resolves when no page has been open for a while. */
export interface IdleClock {
  /** Restarts the clock; it is stopped while a page is open. */
  touch(watched: boolean): void;
  readonly over: Promise<'idle' | 'closed'>;
  stop(): void;
}

/** With `Infinity` it runs until it is stopped. */
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
