import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isLoopback } from '../../http/exchange/admission.ts';

/** Where to listen. */
export interface ServeAddress {
  readonly host: string;
  readonly port: number;
  /** A socket in the file system instead. */
  readonly socket?: string;
}

/**
 * `HOST:PORT`, `:PORT`, `PORT` or `HOST`; IPv6 addresses in brackets. `unix:/FILE` is a socket in the file system.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeAddress(text: string): ServeAddress {
  if (text.startsWith('unix:')) return { host: 'localhost', port: 80, socket: parseSocket(text) };
  const address = /^\d+$/.test(text) ? `:${text}` : text;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s/]*))(?::(\d+))?$/i.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits ?? 0);
  if (host === undefined || port > 65_535) {
    const reason = `${quote(text)} is no address; write HOST:PORT`;
    throw new RootwardError('INVALID_CONFIG', { where: '--http', reason });
  }
  return { host: host === '' ? '127.0.0.1' : host, port };
}

function parseSocket(text: string): string {
  const path = text.slice('unix:'.length).replace(/^~(?=\/|$)/, () => homedir());
  if (isAbsolute(path) && process.platform !== 'win32') return path;
  const reason = `${quote(text)} is no socket; write unix:/FILE, with a path from the top, not on Windows`;
  throw new RootwardError('INVALID_CONFIG', { where: '--http', reason });
}

/**
 * A name by which the endpoint may be called, as it stands in `Host`: with a port unless that is the usual one.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeHost(text: string): string {
  if (/^(?:\[[\da-f:.]+\]|[^\s:/\\@?#*[\]]+)(?::\d+)?$/i.test(text)) return text;
  const reason = `${quote(text)} is no name of a host; write NAME or NAME:PORT, without http:// and without a path`;
  throw new RootwardError('INVALID_CONFIG', { where: '--host', reason });
}

/**
 * Whether somebody on another machine may call: by the address itself, or by a name that is given to others, as
 * behind a proxy.
 */
export function isPublic({ host }: ServeAddress, names: readonly string[]): boolean {
  return !isLoopback(host) || names.some((name) => !isLoopback(hostnameOf(name)));
}

/** Without the port and the brackets of IPv6. */
function hostnameOf(name: string): string {
  const [, bracketed, plain = name] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(name) ?? [];
  return (bracketed ?? plain).toLowerCase();
}
