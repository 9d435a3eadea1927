import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RootwardError } from '../errors.ts';
import { ownNames } from '../http/check-address.ts';
import { closeGently } from '../http/close-gently.ts';
import { type OpenDesk, openDesk } from './open-desk.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import { builtPage, loadPage } from './page-files.ts';
import { createPageSessions, type PageSessions } from './sessions.ts';
import { type PageSite, servePage } from './serve-page.ts';
import { readDigests, writeDigests } from './session-file.ts';

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
  /** Ends when no page is open for that long; a quarter of an hour by default. Milliseconds. */
  readonly idleMs?: number;
  readonly version: string;
  /** Where the built page is. */
  readonly page?: string;
  /** Told what nobody foresaw. */
  readonly report?: (text: string) => void;
}

/** The page, served on this machine alone. */
export interface Web extends AsyncDisposable {
  readonly port: number;
  /** A new link. It opens the page in one browser, once. */
  link(): string;
  /** How many pages are open. */
  readonly pages: number;
  /** Fulfilled when nobody has looked for a while, or when it was closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Serves the page where a person sees and steers roots. Reachable from this machine alone; the first visit needs
 * a link, which works once; every change needs a secret that only the page has. A GET changes nothing.
 *
 * Not guaranteed: anything against a program of the same person, which can read and write the same files anyway.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`, and what `openRootStore` throws
 */
export async function openWeb(options: WebOptions): Promise<Web> {
  const { report = () => {}, page = builtPage } = options;
  const files = await loadPage(page);
  const shared: Shared = { hub: undefined };
  const desk = await openDesk(options, (event) => shared.hub?.send(event));
  const idle = createIdleClock(options.idleMs ?? 15 * 60_000);
  const hub = createEventHub({
    onChange: (size) => {
      desk.sayPages(size);
      idle.touch(size > 0);
    },
  });
  shared.hub = hub;
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.destroy();
  const server = newServer((request, response) => answer(request, response));
  try {
    const port = await bind(server, options.port ?? 0);
    const sessions = createPageSessions(await readDigests(desk.state, port));
    const site: PageSite = {
      names: ownNames({ port }),
      files,
      sessions,
      desk,
      hub,
      cookieName: `rootward_${port}`,
      id: randomUUID(),
      report,
      opened: () => void writeDigests(desk.state, port, sessions.digests()).catch(() => {}),
    };
    answer = (request, response) => {
      idle.touch(hub.size > 0);
      void servePage(site, request, response);
    };
    desk.sayUrl(`http://${host}:${port}/`);
    return toWeb({ server, port, sessions, hub, desk, idle });
  } catch (error) {
    hub.close();
    idle.stop();
    await desk.close();
    throw error;
  }
}

interface Shared {
  hub: EventHub | undefined;
}

interface WebParts {
  readonly server: Server;
  readonly port: number;
  readonly sessions: PageSessions;
  readonly hub: EventHub;
  readonly desk: OpenDesk;
  readonly idle: IdleClock;
}

function toWeb({ server, port, sessions, hub, desk, idle }: WebParts): Web {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      idle.stop();
      hub.close();
      await closeGently(server, 1_000);
      await desk.close();
    })();
    return closing;
  };
  return {
    port,
    link: () => `http://${host}:${port}/#${sessions.newToken()}`,
    get pages() {
      return hub.size;
    },
    ended: idle.over,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface IdleClock {
  /** Something happened; while somebody looks, no time passes. */
  touch(watched: boolean): void;
  readonly over: Promise<void>;
  stop(): void;
}

function createIdleClock(milliseconds: number): IdleClock {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let timer = setTimeout(() => end(), milliseconds).unref();
  return {
    touch(watched) {
      clearTimeout(timer);
      if (!watched) timer = setTimeout(() => end(), milliseconds).unref();
    },
    over,
    stop() {
      clearTimeout(timer);
      end();
    },
  };
}

function newServer(listener: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 },
    listener,
  );
  server.maxConnections = 256;
  server.maxHeadersCount = 100;
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
