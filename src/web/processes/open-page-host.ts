import type { AskExposure, ExposureQuestion } from '../../client/expose/roots-consent.ts';
import { findDirectories } from '../../config/own-directory.ts';
import { announce, type PageQuestion } from './running.ts';

export interface PageHostOptions {
  readonly version: string;
  /** Asked when no page is open. Without it the answer is then no. */
  readonly otherwise?: AskExposure;
  /** Milliseconds that a person has to answer; two minutes by default, like `expose`. */
  readonly patience?: number;
  /** The directory where processes announce themselves; by default that of the person. */
  readonly state?: string;
}

/** A host that the page knows until it closes. */
export interface PageHost extends AsyncDisposable {
  /** Pass it to `expose(client, store, { ask })`: asks whether a server may see roots. */
  readonly ask: AskExposure;
  close(): Promise<void>;
}

/**
 * Announces a program that shows roots to servers, and asks its questions on the page of `rootward web`: which server
 * wants to see which roots. The host stores lasting answers in its own store.
 *
 * @throws {RootwardError} the errors of opening the state directory
 * @example
 * ```ts
 * import { identifyServer } from 'rootward/client';
 *
 * const host = await openPageHost({ version: '1.0.0', state: 'node_modules/.cache/rootward/state' });
 * const server = identifyServer({ name: 'files', command: 'npx', args: ['-y', 'some-server'] });
 * await host.ask({ server, roots: [], signal: AbortSignal.timeout(1_000) }) // → undefined
 * await host.close();
 * ```
 */
export async function openPageHost(options: PageHostOptions): Promise<PageHost> {
  const { version, otherwise, state = findDirectories().state } = options;
  const facts = { command: 'host', version, directory: process.cwd(), connections: [] } as const;
  const announcement = await announce(state, facts);
  const close = (): Promise<void> => announcement.close();
  return {
    async ask(question) {
      const page = await announcement.findPage();
      if (page === undefined || (page === 'hidden' && otherwise !== undefined)) return otherwise?.(question);
      const reply = await announcement.ask(toQuestion(question, options), question.signal);
      return reply?.answer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toQuestion(
  { server, roots }: ExposureQuestion,
  { patience = 120_000 }: PageHostOptions,
): PageQuestion {
  return {
    kind: 'exposure',
    who: server.name,
    roots: roots.map(({ name }) => name),
    places: roots.map(({ path }) => path),
    server: server.name,
    session: true,
    follows: false,
    reason: tiers[server.tier],
    until: new Date(Date.now() + patience).toISOString(),
  };
}

/** The trust tier of a server in words. */
const tiers = {
  stdio: 'It is a program on this machine',
  loopback: 'It is a server on this machine',
  remote: 'It is a server on another machine',
} as const satisfies Readonly<Record<ExposureQuestion['server']['tier'], string>>;
