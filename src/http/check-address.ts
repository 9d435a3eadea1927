import type { IncomingHttpHeaders } from 'node:http';
import type { RefusalName } from './refusals.ts';

/** By which names this server may be called, and from which pages. Each with its port. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

export interface NamesOptions {
  readonly port: number;
  /** Besides the loopback names: `mcp.example.com`, or with a port. */
  readonly hosts?: readonly string[];
  /** Besides our own: `https://app.example.com`. */
  readonly origins?: readonly string[];
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** The loopback names with this port, and whatever the operator adds. */
export function ownNames({ port, hosts = [], origins = [] }: NamesOptions): OwnNames {
  const own = loopbackNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const named = hosts.map((host) => host.toLowerCase());
  return {
    hosts: new Set([...own, ...named]),
    origins: new Set([
      ...own.map((host) => `http://${host.replace(/:80$/, '')}`),
      ...origins.map((origin) => origin.toLowerCase()),
    ]),
  };
}

/**
 * Whether a request was meant for this server: a page that points its name at us sends its own Host, and any
 * other page its Origin. Compared as text with the port, because another port is another program. A program
 * that is no browser sends no Origin. Headers of proxies are not looked at.
 */
export function checkAddress(headers: IncomingHttpHeaders, names: OwnNames): RefusalName | undefined {
  const { host, origin } = headers;
  if (host === undefined || !names.hosts.has(host.toLowerCase())) return 'foreign-host';
  if (origin !== undefined && !names.origins.has(origin.toLowerCase())) return 'foreign-origin';
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site' ? 'cross-site' : undefined;
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
