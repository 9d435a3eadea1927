import { RootwardError } from '../../errors.ts';

/** The address of the engine: one server, a cluster or sentinels. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | {
      readonly kind: 'cluster';
      readonly urls: readonly string[];
      readonly tls: boolean;
      readonly login: RedisLogin;
    }
  | {
      readonly kind: 'sentinel';
      readonly name: string;
      readonly places: readonly HostPort[];
      readonly tls: boolean;
      readonly login: RedisLogin;
    };

export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const pattern = /^redis(s?)(\+cluster|\+sentinel)?:\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^/?#]*))?$/;

/**
 * Parses the address of the engine: `redis://host:6379`, `rediss://` for TLS, `redis+cluster://a:7000,b:7000`,
 * `redis+sentinel://a:26379,b:26379/name`. The password may come from the environment instead.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, which never repeats the address because it may hold a password
 */
export function parseRedisAddress(text: string, password?: string): RedisAddress {
  const [, s, form, user, hosts = '', path = ''] = pattern.exec(text) ?? [];
  const places = hosts.split(',').map((host) => parsePlace(host, form === '+sentinel' ? 26_379 : 6_379));
  if (s === undefined || places.includes(undefined)) throw invalid('it is no address of Redis');
  const known = places.filter((place) => place !== undefined);
  const login = loginOf(user, password);
  if (form === '+sentinel') {
    if (path === '') throw invalid('the name of the primary is missing at its end');
    return { kind: 'sentinel', name: decode(path), places: known, tls: s === 's', login };
  }
  const urls = known.map((place) => urlOf(`redis${s}`, place, login));
  if (form === '+cluster') return { kind: 'cluster', urls, tls: s === 's', login };
  if (known.length > 1)
    throw invalid('several hosts are a cluster or sentinels; begin it with redis+cluster:');
  if (!/^\d*$/.test(path)) throw invalid('what follows the host is not the number of a database');
  return { kind: 'single', url: `${urls[0] ?? ''}${path === '' ? '' : `/${path}`}` };
}

/** The number of the database; only a single server has several. */
export function databaseOf(address: RedisAddress): string {
  const [, number = '0'] = (address.kind === 'single' && /\/(\d+)$/.exec(address.url)) || [];
  return String(Number(number));
}

function parsePlace(text: string, usual: number): HostPort | undefined {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? undefined : { host, port: Number(port ?? usual) };
}

function loginOf(user: string | undefined, password: string | undefined): RedisLogin {
  const [, name = '', secret = ''] = /^([^:]*):?(.*)$/.exec(user ?? '') ?? [];
  const known = secret === '' ? password : decode(secret);
  return {
    ...(name === '' ? {} : { username: decode(name) }),
    ...(known === undefined || known === '' ? {} : { password: known }),
  };
}

function urlOf(scheme: string, { host, port }: HostPort, { username = '', password }: RedisLogin): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const login = `${encodeURIComponent(username)}${secret}`;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${login === '' ? '' : `${login}@`}${name}:${port}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('its name or password is not encoded as in a URL');
  }
}

function invalid(reason: string): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where: '--sessions', reason });
}
