import { createHash } from 'node:crypto';
import { RootwardError } from '../../errors.ts';
import { escapeText } from '../../base/quote.ts';

/**
 * Trust in a server, by its connection. `stdio`: a program that the host started, as this user. `loopback`: a
 * program on this machine. `remote`: any server.
 */
export type TrustTier = 'stdio' | 'loopback' | 'remote';

/** A server as its host knows it, never as it describes itself. */
export interface ServerDescription {
  /** The name that the host uses. */
  readonly name: string;
  /** The program that the host starts. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Its address, if the host does not start it. */
  readonly url?: string | URL;
  /** For a server that has neither, such as one within this process. */
  readonly tier?: TrustTier;
}

/** Tells one server from another when a grant is stored. */
export interface ServerIdentity {
  readonly name: string;
  readonly tier: TrustTier;
  /** Changes when another program or address takes the name. Reveals neither. */
  readonly fingerprint: string;
}

/**
 * Identifies a server. The same name with another command or URL is another server, so that a grant does not pass from
 * one to the other. A server without a command, a URL or a tier is `remote`.
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
    throw new RootwardError('CANNOT_EXPOSE', {
      server: name,
      reason: 'its name is empty, too long, or has invisible characters',
    });
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

/** The query is part of the address, because it may select a tenant. User and password are not. */
function addressOf({ origin, pathname, search }: URL): readonly string[] {
  return [origin, pathname, ...(search === '' ? [] : [search])];
}

function readUrl({ name, command, url }: ServerDescription): URL | undefined {
  if (url === undefined) return undefined;
  if (command !== undefined) {
    throw new RootwardError('CANNOT_EXPOSE', { server: name, reason: 'it has both a command and a URL' });
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

/** `URL` has already normalized the text: `127.1` and `0x7f000001` become `127.0.0.1`. */
function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]' || /^(?:.+\.)?localhost$/.test(host);
}
