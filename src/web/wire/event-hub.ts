import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { BoundedWriter } from '../../http/exchange/reply.ts';
import { pageHeaders } from './respond.ts';
import type { PageEvent } from './wire.ts';

/** The windows behind one stream. A browser may share one stream among several windows. */
export interface WindowCounts {
  /** Windows that are visible. */
  readonly visible: number;
  /** Windows in the background or minimised. */
  readonly hidden: number;
}

/** The pages that listen for events. */
export interface EventHub {
  /** Number of open streams. */
  readonly size: number;
  /** Keeps a response open and sends it events, starting with a greeting that names this server. */
  open(response: ServerResponse, server: string): void;
  /** Records the windows behind a stream, as its page reports them. Forgotten when the stream closes. */
  readonly setWindows: (stream: string, windows: WindowCounts) => void;
  send(event: PageEvent): void;
  close(): void;
}

export interface EventHubOptions {
  /** Called when a page opens, closes, or changes visibility. */
  readonly onChange: (windows: WindowCounts, size: number) => void;
  /** Milliseconds of silence after which a comment is sent to detect a dead connection. */
  readonly keepAliveMs?: number;
}

/** Bytes that may wait for a page that does not read. Events are small: each only says what to fetch. */
const mostUnread = 256 * 1024;

interface Stream {
  readonly response: ServerResponse;
  readonly writer: BoundedWriter;
  windows: WindowCounts;
}

/**
 * Sends server-sent events to any number of pages. A page that does not read is disconnected and reconnects by
 * itself.
 */
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
      // Counts as hidden until the page reports its windows.
      streams.set(id, { response, writer, windows: { visible: 0, hidden: 1 } });
      response.once('close', () => streams.delete(id) && changed());
      writer.write(`retry: 1000\n${toText({ kind: 'hello', server, stream: id })}`);
      changed();
    },
    setWindows(id, windows) {
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
