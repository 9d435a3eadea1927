import type { Socket } from 'node:net';
import { head, openSocket } from '../http/raw.ts';
import type { Target } from './balancer.ts';

type Mark = string | ((text: string) => boolean);

/** One connection that stays open, for thousands of requests one after the other. */
export interface RawLine {
  /** Sends a request and resolves with what came back, as soon as it holds one of the texts. */
  post(headers: Readonly<Record<string, string>>, body: object, ...until: readonly Mark[]): Promise<string>;
  /** What came until one of the texts is there, without another request. */
  read(...until: readonly Mark[]): Promise<string>;
  destroy(): void;
}

/** Where an answer ends: that of a stream, or of one without a body. */
export const streamEnd = '\r\n0\r\n\r\n';

/** The end of a refusal because the engine did not answer in time. */
const away = 'sessions cannot be reached"}}';

/** Again and again while the engine is too slow for us, which a busy machine makes it; everything else counts. */
export async function postPatiently(
  line: RawLine,
  ...[headers, body, ...until]: Parameters<RawLine['post']>
): Promise<string> {
  const limit = performance.now() + 15_000;
  for (;;) {
    const text = await line.post(headers, body, ...until, away);
    if (!text.includes(away) || performance.now() > limit) return text;
  }
}

export async function openLine(target: Target): Promise<RawLine> {
  const socket: Socket = await openSocket(target);
  socket.setNoDelay(true).setEncoding('latin1');
  let text = '';
  let look: () => void = () => {};
  let lost = false;
  socket.on('data', (chunk) => {
    text += String(chunk);
    look();
  });
  socket.once('close', () => {
    lost = true;
    look();
  });
  const read = (...until: readonly Mark[]): Promise<string> =>
    new Promise((resolve, reject) => {
      look = () => {
        if (until.some((mark) => (typeof mark === 'string' ? text.includes(mark) : mark(text))))
          resolve(text);
        else if (lost) reject(new Error(`The connection was lost after: ${text}`));
      };
      look();
    });
  return {
    read,
    post(headers, body, ...until) {
      const bytes = JSON.stringify(body);
      text = '';
      socket.write(head(target, { ...headers, 'content-length': Buffer.byteLength(bytes) }) + bytes);
      return read(...until);
    },
    destroy: () => socket.destroy(),
  };
}
