import { RootwardError } from '../../errors.ts';

/** Whoever starts a server wants to know soon that its engine is not there. */
const patience = 3_000;

export interface Connectable {
  connect(): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

export async function connectClients(clients: readonly Connectable[], close: () => void): Promise<void> {
  let fault: unknown;
  for (const client of clients) client.on('error', (error) => (fault = error));
  const connected = Promise.all(clients.map((client) => client.connect()));
  connected.catch(ignore);
  const timer = new AbortController();
  try {
    await Promise.race([connected, failAfter(patience, timer.signal)]);
  } catch (error) {
    close();
    throw away(codeOf(error) === undefined ? (fault ?? error) : error);
  } finally {
    timer.abort();
  }
}

const late = Symbol('late');

function failAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(late), milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

/** Of what went wrong only its code is told: the rest may hold addresses. */
function away(cause: unknown): RootwardError<'SESSIONS_UNAVAILABLE'> {
  const code = codeOf(cause);
  const reason = `nothing answers there, or not to this login${code === undefined ? '' : ` (${code})`}`;
  return new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause });
}

/** Of the system, of TLS, or the word with which the engine begins. */
function codeOf(error: unknown): string | undefined {
  if (error === late) return undefined;
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return /^[A-Z]{3,}\b/.exec(String(message))?.[0] ?? (cause === undefined ? undefined : codeOf(cause));
}

/** Its failure is told by who raced with it. */
function ignore(): void {}
