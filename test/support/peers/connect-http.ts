import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SSEClientTransport as Sse12 } from 'sdk-1.12/client/sse.js';
import { StreamableHTTPClientTransport as Transport12 } from 'sdk-1.12/client/streamableHttp.js';
import { type ClientName, createSdkClient, type SdkClient, type SdkClientOptions } from './sdk-client.ts';

export interface HttpParts extends SdkClientOptions {
  readonly client: ClientName;
  readonly url: URL;
  /** The bearer token of a server that wants one. */
  readonly token?: string;
  /** The transport of 2024-11-05. */
  readonly sse?: boolean;
}

export interface HttpClient extends SdkClient, AsyncDisposable {
  /** The HTTP methods whose answers carried `roots/list`, in order. Not known for SDK 1.12. */
  readonly carriers: readonly string[];
}

/** A client of an SDK whose stream for what the server sends by itself is there, or was refused. */
export async function connectHttp(parts: HttpParts): Promise<HttpClient> {
  const { url, token, sse = false } = parts;
  const client = createSdkClient(parts.client, parts);
  const { raw } = client;
  const { fetch: watched, settled, carriers } = watchStreams();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = { fetch: watched, requestInit: { headers } };
  if (raw instanceof ClientV2) await raw.connect(sse ? new SseV2(url) : new TransportV2(url, options));
  else if (raw instanceof ClientV1) await raw.connect(sse ? new SseV1(url) : new TransportV1(url, options));
  else await raw.connect((sse ? new Sse12(url) : new Transport12(url)) as Parameters<typeof raw.connect>[0]);
  // SDK 1.12 has no way to watch; a client of 2026-07-28 opens no such stream.
  if (!sse && (parts.client === 'v1' || parts.client === 'v2')) await settled;
  return { ...client, carriers, [Symbol.asyncDispose]: async () => client.close() };
}

interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** The first GET has its answer. */
  readonly settled: Promise<void>;
  readonly carriers: readonly string[];
}

/** `fetch` that reads along. */
function watchStreams(): WatchedFetch {
  const carriers: string[] = [];
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { method = 'GET' } = init ?? {};
    if (method === 'GET') settle();
    if (response.body === null) return response;
    const body = response.body.pipeThrough(
      readAlong((text) => text.includes('"roots/list"') && carriers.push(method)),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
  return { fetch: watched, settled, carriers };
}

function readAlong(see: (text: string) => unknown): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      see(decoder.decode(chunk, { stream: true }));
      controller.enqueue(chunk);
    },
  });
}
