import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { BoundedWriter } from '../../http/exchange/reply.ts';
import { pageHeaders } from './respond.ts';
import type { PageEvent } from './wire.ts';

/** The windows behind one stream: a browser may have one stream for many of them. */
export interface WindowCounts {
  /** In front of somebody. */
  readonly visible: number;
  /** Open, in a tab behind or a window that is put away. */
  readonly hidden: number;
}

/** The pages that listen. */
export interface EventHub {
  /** How many streams are open. */
  readonly size: number;
  /** Keeps a response open and tells it what happens, beginning with a greeting of this server. */
  open(response: ServerResponse, server: string): void;
  /** What a page says about the windows behind its stream. It holds until the stream is gone. */
  readonly watched: (stream: string, windows: WindowCounts) => void;
  send(event: PageEvent): void;
  close(): void;
}

export interface EventHubOptions {
  /** Told when a page comes or goes, or is put away. */
  readonly onChange: (windows: WindowCounts, size: number) => void;
  /** Silence after which a comment is sent, so that a dead connection is noticed. Milliseconds. */
  readonly keepAliveMs?: number;
}

/** What may wait for a page that does not read. The events are small, and each says only what to ask for. */
const mostUnread = 256 * 1024;

interface Stream {
  readonly response: ServerResponse;
  readonly writer: BoundedWriter;
  windows: WindowCounts;
}

/** Server-sent events for any number of pages. One that does not read is cut off, and comes back by itself. */
export function createEventHub({ onChange, keepAliveMs = 15_000 }: EventHubOptions): EventHub {
  const streams = new Map<string, Stream>();
  const changed = (): void => onChange(countWindows(streams.values()), streams.size);
  const write = (text: string): void => {
    for (const { response, writer } of streams.values()) {
      if (writer.isStuck(keepAliveMs * 2) || !writer.write(text)) response.destroy();
    }
  };
  const timer = setInterval(() => write(': still here\n\n'), keepAliveMs);
  timer.unref();
  return {
    get size() {
      return streams.size;
    },
    open(response, server) {
      const id = randomUUID();
      response.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream' });
      const writer = new BoundedWriter(response, mostUnread);
      // Nobody is known to look until the page says so.
      streams.set(id, { response, writer, windows: { visible: 0, hidden: 1 } });
      response.once('close', () => streams.delete(id) && changed());
      writer.write(`retry: 1000\n${toText({ kind: 'hello', server, stream: id })}`);
      changed();
    },
    watched(id, windows) {
      const stream = streams.get(id);
      if (stream === undefined) return;
      stream.windows = windows;
      changed();
    },
    send: (event) => write(toText(event)),
    close() {
      clearInterval(timer);
      for (const { writer } of streams.values()) writer.end();
    },
  };
}

function countWindows(streams: Iterable<Stream>): WindowCounts {
  let [visible, hidden] = [0, 0];
  for (const { windows } of streams) {
    visible += windows.visible;
    hidden += windows.hidden;
  }
  return { visible, hidden };
}

function toText(event: PageEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
