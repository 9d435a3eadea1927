import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { type HttpOptions, listen } from '../http/listen.ts';
import { quote } from '../quote.ts';
import type { Kit } from '../tools/ready/kit.ts';
import type { CliContext, Terminal } from './command-context.ts';
import type { Records } from './open-records.ts';
import { openSessions } from './open-sessions.ts';
import { readSealingKeys } from './read-sealing-keys.ts';
import type { ServeSettings } from './serve-settings.ts';
import { isWorker, leaveCrew } from './serve-workers.ts';
import { untilEnded } from './until-ended.ts';

export interface HttpParts {
  readonly kit: Kit;
  readonly settings: ServeSettings;
  readonly records: Records;
  /** Told where it listens. */
  readonly opened?: (url: string) => void;
}

/** Serves over HTTP until somebody ends the process. */
export async function serveHttp(context: CliContext, parts: HttpParts): Promise<void> {
  const { settings, records } = parts;
  const { token, made } = await findToken(settings);
  const sealingKeys = await readSealingKeys(settings);
  const sessions = await openSessions({ settings, keys: sealingKeys, record: records.log });
  try {
    await using endpoint = await listen({
      ...optionsOf(parts, token),
      ...(sealingKeys.length > 0 && { sealingKeys }),
      // Behind a balancer others take over, once it has seen that this one leaves.
      ...(sessions && { sessions, limits: { lingerMs: 1_000 } }),
    });
    parts.opened?.(endpoint.url);
    const { stderr } = isWorker() ? { stderr: silent } : context.process;
    const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
    stderr.write(`rootward: listening on ${endpoint.url}\n${shown}`);
    await untilEnded();
    stderr.write('rootward: finishing what is under way\n');
  } finally {
    await sessions?.close();
    leaveCrew();
  }
}

/** The process that started this one speaks for all of them. */
const silent: Terminal = { write: () => {} };

function optionsOf({ kit, settings, records }: HttpParts, token: string): HttpOptions {
  const { hosts, origins } = settings;
  return {
    ...parseAddress(settings.http ?? ''),
    hosts,
    origins,
    tokens: [{ token }],
    createServer: ({ memory, requestState }) =>
      kit.createServer({ memory: () => memory, overHttp: true, verifyState: requestState.verify }).server,
    record: records.log,
  };
}

/** `HOST:PORT`, `:PORT`, `PORT` or `HOST`; IPv6 addresses in brackets. */
export function parseAddress(text: string): { readonly host: string; readonly port: number } {
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

interface Token {
  readonly token: string;
  readonly made: boolean;
}

async function findToken({ token, tokenFile }: ServeSettings): Promise<Token> {
  if (tokenFile !== undefined) return { token: await readToken(tokenFile), made: false };
  return token === undefined
    ? { token: randomBytes(32).toString('base64url'), made: true }
    : { token, made: false };
}

async function readToken(file: string): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    return (await boundary.readText(basename(file), { limit: 4_096 })).trim();
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    const reason = `no token can be read from ${quote(file)}: ${error.message}`;
    throw new RootwardError('INVALID_CONFIG', { where: '--token-file', reason }, { cause: error });
  }
}
