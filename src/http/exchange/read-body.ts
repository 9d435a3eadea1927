import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export type BodyResult =
  | { readonly value: unknown }
  | { readonly fault: 'body-too-large' | 'body-too-slow' | 'shutting-down' | 'not-json' | 'gone' };

export interface BodyLimits {
  readonly body: number;
  readonly bodyMs: number;
}

export interface BodyEvents {
  /** Called before the body is read, for a client that waits for `100 Continue`. */
  readonly wanted?: (() => void) | undefined;
  /** Aborted when no body is waited for any longer. */
  readonly ending?: AbortSignal | undefined;
}

/** Reads a body as JSON, within the limits of size and time. */
export function readBody(
  request: IncomingMessage,
  { body: most, bodyMs }: BodyLimits,
  { wanted, ending }: BodyEvents = {},
): Promise<BodyResult> {
  if (Number(request.headers['content-length'] ?? 0) > most) {
    return Promise.resolve({ fault: 'body-too-large' });
  }
  wanted?.();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (body: BodyResult): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', lose);
      ending?.removeEventListener('abort', stop);
      if ('fault' in body) request.pause();
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) settle({ fault: 'body-too-large' });
      else chunks.push(chunk);
    };
    const end = (): void => settle(parse(chunks));
    const lose = (): void => settle({ fault: 'gone' });
    const stop = (): void => settle({ fault: 'shutting-down' });
    const timer = setTimeout(() => settle({ fault: 'body-too-slow' }), bodyMs);
    ending?.addEventListener('abort', stop);
    request.on('data', take).on('end', end).on('close', lose);
  });
}

function parse(chunks: readonly Buffer[]): BodyResult {
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  // Decoding would replace invalid bytes by another character, and so change a path.
  if (!isUtf8(bytes)) return { fault: 'not-json' };
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { fault: 'not-json' };
  }
}

/** The response types a client accepts. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly stream: boolean;
}

/** Reads an `Accept` header. A missing header accepts everything; `q=0` is ignored. */
export function readAccept(header: string | undefined): AcceptedForms {
  if (header === undefined || header.includes('*/*')) return { json: true, stream: true };
  const types = header.toLowerCase();
  return {
    json: types.includes('application/json') || types.includes('application/*'),
    stream: types.includes('text/event-stream') || types.includes('text/*'),
  };
}

/** Tells whether a content type is JSON, with any parameters. An HTML form could send other types across origins. */
export function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? '');
}
