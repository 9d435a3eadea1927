import { createHash } from 'node:crypto';
import { RootwardError } from '../../errors.ts';
import { escapeText } from '../../base/quote.ts';

/**
 * How far a server is trusted, by the way to it. `stdio`: a program that the host started, as this person.
 * `loopback`: somebody on this machine. `remote`: anybody.
 */
export type TrustTier = 'stdio' | 'loopback' | 'remote';

/** A server as its host knows it. Never what the server says about itself. */
export interface ServerDescription {
  /** What the host calls it. */
  readonly name: string;
  /** The program that the host starts. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Where it is reached, if it is not started. */
  readonly url?: string | URL;
  /** For a server that has neither, such as one within this process. */
  readonly tier?: TrustTier;
}

/** What tells one server from another when a grant is remembered. */
export interface ServerIdentity {
  readonly name: string;
  readonly tier: TrustTier;
  /** Changes when another program or address takes the name. Tells neither. */
  readonly fingerprint: string;
}

/**
 * Tells who a server is. The same name with another command or URL is another server, so that no grant passes
 * from one to the other. Without a command, a URL or a tier nothing is known, and that is `remote`.
 *
 * @throws {RootwardError} `CANNOT_EXPOSE`
 * @example
 * ```ts
 * identifyServer({ name: 'files', command: 'npx', args: ['-y', 'some-server'] }).tier // → 'stdio'
 * identifyServer({ name: 'search', url: 'http://127.0.0.1:8080/mcp' }).tier // → 'loopback'
 * identifyServer({ name: 'search', url: 'https://search.example/mcp' }).tier // → 'remote'
 * identifyServer({ name: '' }) // throws CANNOT_EXPOSE
 * ```
 */
export function identifyServer(description: ServerDescription): ServerIdentity {
  const { name, command, args = [], tier } = description;
  if (name === '' || name.length > longestName || escapeText(name) !== name) {
    throw new RootwardError('CANNOT_EXPOSE', { server: name, reason: 'its name is not a short, plain text' });
  }
  const url = readUrl(description);
  const place = url === undefined ? [command ?? '', ...args] : addressOf(url);
  return {
    name,
    tier: tier ?? tierOf(command, url),
    fingerprint: createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 32),
  };
}

const longestName = 256;

/** A query may tell one tenant from another. Who logs in may change, and says nothing about where. */
function addressOf({ origin, pathname, search }: URL): readonly string[] {
  return [origin, pathname, ...(search === '' ? [] : [search])];
}

function readUrl({ name, command, url }: ServerDescription): URL | undefined {
  if (url === undefined) return undefined;
  if (command !== undefined) {
    throw new RootwardError('CANNOT_EXPOSE', { server: name, reason: 'it has a command and a URL' });
  }
  if (!URL.canParse(String(url))) {
    throw new RootwardError('CANNOT_EXPOSE', { server: name, reason: 'its URL cannot be read' });
  }
  return new URL(url);
}

function tierOf(command: string | undefined, url: URL | undefined): TrustTier {
  if (url !== undefined) return isLoopback(url.hostname) ? 'loopback' : 'remote';
  return command === undefined ? 'remote' : 'stdio';
}

/** By the text that `URL` has made plain: `127.1` and `0x7f000001` are `127.0.0.1` to it. */
function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]' || /^(?:.+\.)?localhost$/.test(host);
}
