import { isAbsolute } from 'node:path';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isLoopback } from '../../http/exchange/admission.ts';
import { expandHome } from '../../path/home.ts';

/** The address to listen on. */
export interface ServeAddress {
  readonly host: string;
  readonly port: number;
  /** The path of a Unix socket, instead of host and port. */
  readonly socket?: string;
}

/**
 * Parses `HOST:PORT`, `:PORT`, `PORT` or `HOST`, with IPv6 addresses in brackets. `unix:/FILE` is a Unix socket.
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
  const path = expandHome(text.slice('unix:'.length));
  if (isAbsolute(path) && process.platform !== 'win32') return path;
  const reason = `${quote(text)} is no socket; write unix:/FILE, with a path from the top, not on Windows`;
  throw new RootwardError('INVALID_CONFIG', { where: '--http', reason });
}

/**
 * Parses a name by which clients may call the endpoint, as in the `Host` header: with a port unless it is the
 * default.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeHost(text: string): string {
  if (/^(?:\[[\da-f:.]+\]|[^\s:/\\@?#*[\]]+)(?::\d+)?$/i.test(text)) return text;
  const reason = `${quote(text)} is not a host name; write NAME or NAME:PORT, without http:// and without a path`;
  throw new RootwardError('INVALID_CONFIG', { where: '--host', reason });
}

/** Whether other machines may call: by the address itself, or by a name given out, as behind a proxy. */
export function isPublic({ host }: ServeAddress, names: readonly string[]): boolean {
  return !isLoopback(host) || names.some((name) => !isLoopback(hostnameOf(name)));
}

/** The name without the port and IPv6 brackets. */
function hostnameOf(name: string): string {
  const [, bracketed, plain = name] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(name) ?? [];
  return (bracketed ?? plain).toLowerCase();
}
