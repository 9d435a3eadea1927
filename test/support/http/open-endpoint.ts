import type { HttpEvent } from '../../../src/http/exchange/endpoint.ts';
import { type HttpEndpoint, type HttpOptions, listen } from '../../../src/http/listen.ts';
import { exampleServer, newStage, type Stage } from './example-server.ts';

export const token = 'a-token-that-is-long-enough-to-be-one';
export const otherToken = 'another-token-that-is-just-as-long-as-it';

export interface TestEndpoint extends HttpEndpoint {
  readonly stage: Stage;
  readonly events: readonly HttpEvent[];
  /** Kinds of what was recorded. */
  kinds(): readonly string[];
}

/** A real endpoint on a free loopback port, with the example server behind it and two people who may come in. */
export async function openEndpoint(options: Partial<HttpOptions> = {}): Promise<TestEndpoint> {
  const stage = newStage();
  const events: HttpEvent[] = [];
  const endpoint = await listen({
    createServer: exampleServer(stage),
    tokens: [{ token, principal: 'me' }, { token: otherToken }],
    record: (event) => events.push(event),
    ...options,
  });
  return { ...endpoint, stage, events, kinds: () => events.map(({ kind }) => kind) };
}
