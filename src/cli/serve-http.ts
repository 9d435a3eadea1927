import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { listen } from '../http/listen.ts';
import { quote } from '../quote.ts';
import type { Kit } from '../tools/ready/kit.ts';
import type { CliContext } from './command-context.ts';
import type { Records } from './open-records.ts';
import type { ServeSettings } from './serve-settings.ts';
import { untilEnded } from './until-ended.ts';

export interface HttpParts {
  readonly kit: Kit;
  readonly settings: ServeSettings;
  readonly records: Records;
}

/** Serves over HTTP until somebody ends the process. */
export async function serveHttp(context: CliContext, { kit, settings, records }: HttpParts): Promise<void> {
  const { hosts, origins } = settings;
  const { token, made } = await findToken(settings);
  await using endpoint = await listen({
    ...parseAddress(settings.http ?? ''),
    hosts,
    origins,
    tokens: [{ token }],
    createServer: ({ memory, requestState }) =>
      kit.createServer({ memory: () => memory, overHttp: true, verifyState: requestState.verify }).server,
    record: records.log,
  });
  const { stderr } = context.process;
  const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
  stderr.write(`rootward: listening on ${endpoint.url}\n${shown}`);
  await untilEnded();
  stderr.write('rootward: finishing what is under way\n');
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
