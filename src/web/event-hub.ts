import type { ServerResponse } from 'node:http';
import { Outlet } from '../http/outlet.ts';
import { pageHeaders } from './respond.ts';
import type { PageEvent } from './wire.ts';

/** The pages that listen. */
export interface EventHub {
  readonly size: number;
  /** Keeps a response open and tells it what happens, beginning with a greeting. */
  open(response: ServerResponse, greeting: PageEvent): void;
  send(event: PageEvent): void;
  close(): void;
}

export interface EventHubOptions {
  /** Told when a page comes or goes. */
  readonly onChange: (size: number) => void;
  /** Silence after which a comment is sent, so that a dead connection is noticed. Milliseconds. */
  readonly keepAliveMs?: number;
}

/** What may wait for a page that does not read. The events are small, and each says only what to ask for. */
const mostUnread = 256 * 1024;

/** Server-sent events for any number of windows. One that does not read is cut off, and comes back by itself. */
export function createEventHub({ onChange, keepAliveMs = 15_000 }: EventHubOptions): EventHub {
  const outlets = new Map<ServerResponse, Outlet>();
  const drop = (response: ServerResponse): void => {
    if (outlets.delete(response)) onChange(outlets.size);
  };
  const write = (text: string): void => {
    for (const [response, outlet] of outlets) {
      if (outlet.isStuck(keepAliveMs * 2) || !outlet.write(text)) response.destroy();
    }
  };
  const timer = setInterval(() => write(': still here\n\n'), keepAliveMs);
  timer.unref();
  return {
    get size() {
      return outlets.size;
    },
    open(response, greeting) {
      response.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream' });
      const outlet = new Outlet(response, mostUnread);
      outlets.set(response, outlet);
      response.once('close', () => drop(response));
      outlet.write(`retry: 1000\n${toText(greeting)}`);
      onChange(outlets.size);
    },
    send: (event) => write(toText(event)),
    close() {
      clearInterval(timer);
      for (const outlet of outlets.values()) outlet.end();
    },
  };
}

function toText(event: PageEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
