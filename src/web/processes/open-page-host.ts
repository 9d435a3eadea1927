import type { AskExposure, ExposureQuestion } from '../../client/expose/roots-consent.ts';
import { findDirectories } from '../../config/own-directory.ts';
import { announce, type PageQuestion } from './running.ts';

export interface PageHostOptions {
  readonly version: string;
  /** Asked where no page is open; without it that is a no. */
  readonly otherwise?: AskExposure;
  /** How long a person may think. Milliseconds; two minutes by default, as `expose` waits. */
  readonly patience?: number;
  /** Where processes announce themselves; that of the person by default. */
  readonly state?: string;
}

/** A host that is known to the page, until it closes. */
export interface PageHost extends AsyncDisposable {
  /** For `expose(client, store, { ask })`: whether a server may see roots. */
  readonly ask: AskExposure;
  close(): Promise<void>;
}

/**
 * Announces a program that shows roots to servers, and puts its questions to the page of `rootward web`: which
 * server wants to see which roots. What is answered for good is kept by the host, in its own store.
 *
 * @throws {RootwardError} what the state directory refuses
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
  const said = { command: 'host', version, directory: process.cwd(), connections: [] } as const;
  const announcement = await announce(state, said);
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

/** Who that is, as far as the way to it tells. */
const tiers = {
  stdio: 'It is a program on this machine',
  loopback: 'It is reached on this machine',
  remote: 'It is somewhere else',
} as const satisfies Readonly<Record<ExposureQuestion['server']['tier'], string>>;
