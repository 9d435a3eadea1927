import {
  type ServerEnd,
  type ServerLaunch,
  startServerUnchecked,
} from '../../boundary/process/start-server.ts';
import { type LineListener, LineReader } from '../relay/line-reader.ts';
import { LineWriter, type WriterListener } from '../relay/line-writer.ts';

/** The server behind the gateway, as one connection uses it. */
export interface Upstream {
  write(line: Buffer | string): void;
  /** Stops and continues to read what the server says. */
  pause(): void;
  resume(): void;
  /** Ends the server. Nothing that it says from now on is read. */
  stop(): Promise<UpstreamEnd>;
}

export interface UpstreamListener extends Omit<LineListener, 'end'>, Omit<WriterListener, 'failed'> {
  /** The server has ended, and everything that it said was read. Not called after `stop`. */
  ended(end: UpstreamEnd): void;
  /** The server's stderr, as it came. */
  stderr(bytes: Buffer): void;
}

/** How a server ended, or why it never started. */
export interface UpstreamEnd extends ServerEnd {
  /** The end of a sentence about it. */
  readonly reason: string;
}

/** Starts a server as it is, with the rights of this process. */
export function startUpstream(launch: ServerLaunch, listener: UpstreamListener): Upstream {
  const server = startServerUnchecked(launch);
  let stopped = false;
  const last = new LastLine();
  server.stderr.on('data', (bytes: Buffer) => {
    last.push(bytes);
    listener.stderr(bytes);
  });
  const reader = new LineReader(server.stdout, {
    line: (bytes) => listener.line(bytes),
    tooLong: (message) => listener.tooLong(message),
    end: () => undefined,
  });
  const writer = new LineWriter(server.stdin, {
    full: () => listener.full(),
    drained: () => listener.drained(),
    // Its end is reported with its exit.
    failed: () => listener.drained(),
  });
  const ended = server.ended.then(
    (end): UpstreamEnd => ({ ...end, reason: describeEnd(end, last.text) }),
    (error: Error): UpstreamEnd => ({ code: undefined, signal: undefined, reason: error.message }),
  );
  const report = (end: UpstreamEnd): void => {
    writer.close();
    if (!stopped) listener.ended(end);
  };
  void ended.then(report);
  return {
    write: (line) => writer.write(line),
    pause: () => reader.pause(),
    resume: () => reader.resume(),
    async stop() {
      stopped = true;
      reader.close();
      writer.close();
      await server.stop();
      return ended;
    },
  };
}

function describeEnd({ code, signal }: ServerEnd, line: string): string {
  const how = signal === undefined ? `exit code ${code ?? 'unknown'}` : signal;
  return line === '' ? `the server ended (${how})` : `the server ended (${how}): ${line}`;
}

/** Bytes of stderr in which the last line is looked for. */
const most = 4_096;

/** Keeps the last line of a stream. */
class LastLine {
  #tail = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-most);
  }

  get text(): string {
    return this.#tail.toString('utf8').trimEnd().split('\n').at(-1)?.trim() ?? '';
  }
}
