import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import { LineTransport } from './line-transport.ts';

const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
const done = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });
const lineOf = (message: unknown): string => `${JSON.stringify(message)}\n`;

interface Wired {
  readonly transport: LineTransport;
  readonly input: PassThrough;
  readonly received: unknown[];
  readonly errors: string[];
  /** Each write. */
  readonly written: string[];
}

function wire(): Wired {
  const input = new PassThrough();
  const written: string[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  const transport = new LineTransport(input, output);
  const received: unknown[] = [];
  const errors: string[] = [];
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = ({ message }) => void errors.push(message);
  return { transport, input, received, errors, written };
}

/** Resolves when everything written has been read. */
async function send({ input }: Wired, ...chunks: readonly (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) {
    input.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the input', () => {
  test('is one message per line, however it is cut into pieces', async () => {
    const wired = wire();
    await wired.transport.start();
    const bytes = Buffer.from(lineOf({ ...ping(2), params: { text: 'ä\u2028😀' } }));
    await send(wired, lineOf(ping(1)) + lineOf(ping(2)), bytes.subarray(0, 50), bytes.subarray(50));
    expect(wired.received).toEqual([ping(1), ping(2), { ...ping(2), params: { text: 'ä\u2028😀' } }]);
  });

  test.each([
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }, [-32_600]],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, [-32_600]],
    // JSON-RPC lets a client leave params out, not send null; the schemas of both SDKs refuse it, too.
    ['params that are null', { jsonrpc: '2.0', id: 1, method: 'ping', params: null }, [-32_600]],
    ['an id of no kind', { jsonrpc: '2.0', id: null, method: 'ping' }, []],
    ['no method and no result', { jsonrpc: '2.0', id: 1 }, []],
  ])('is refused with %s, and does not keep a pipe open', async (_case, message, codes) => {
    const wired = wire();
    await wired.transport.start();
    await send(wired, lineOf(message));
    wired.input.end();
    await wired.transport.closed;
    expect(wired.received).toEqual([]);
    expect(wired.errors).toEqual(['A line is no message']);
    const answers = wired.written.map((line) => JSON.parse(line) as { error: { code: number } });
    expect(answers.map(({ error }) => error.code)).toEqual(codes);
  });

  test('may have Windows line ends and empty lines', async () => {
    const wired = wire();
    await wired.transport.start();
    await send(wired, `\r\n${JSON.stringify(ping(1))}\r\n\n`);
    expect(wired.received).toEqual([ping(1)]);
    expect(wired.errors).toEqual([]);
  });

  test.each(['hello', '{', '[]', 'null', '"text"', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"id":1}'])(
    'is skipped if it is not a message: %s',
    async (line) => {
      const wired = wire();
      await wired.transport.start();
      await send(wired, `${line}\n${lineOf(ping(1))}`);
      expect(wired.errors).toEqual(['A line is no message']);
      expect(wired.received).toEqual([ping(1)]);
    },
  );

  const long = Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024, 'x'));
  const fault = 'A message is longer than 10485760 bytes, and was not taken';

  test('is refused if it is too long, and the next message is accepted', async () => {
    const wired = wire();
    await wired.transport.start();
    const [begin, end] = ['{"method":"a","params":{"text":"', '"},"jsonrpc":"2.0","id":"long"}\n'];
    await send(wired, lineOf(ping(1)), begin, ...long, end + lineOf(ping(2)));
    expect(wired.errors).toEqual([fault]);
    expect(wired.received).toEqual([ping(1), ping(2)]);
    expect(JSON.parse(wired.written.join(''))).toEqual({
      jsonrpc: '2.0',
      id: 'long',
      error: { code: -32_600, message: 'The request is longer than 10485760 bytes' },
    });
  });

  test.each([
    ['in one piece', (line: string) => [line]],
    [
      'with an end that makes it too long',
      (line: string) => [line.slice(0, 10_000_000), line.slice(10_000_000)],
    ],
  ])('is refused if it is too long, %s', async (_how, cut) => {
    const wired = wire();
    await wired.transport.start();
    const params = { text: 'x'.repeat(11 * 1024 * 1024) };
    await send(wired, ...cut(lineOf({ ...ping(1), params }) + lineOf(ping(2))));
    expect(wired.errors).toEqual([fault]);
    expect(wired.received).toEqual([ping(2)]);
    expect(JSON.parse(wired.written.join(''))).toMatchObject({ id: 1, error: { code: -32_600 } });
  });

  test('is skipped without buffering if it never ends', async () => {
    const wired = wire();
    await wired.transport.start();
    await send(wired, ...long, ...long);
    expect(wired.errors).toEqual([fault]);
    wired.input.end('\n');
    await wired.transport.closed;
    expect([wired.received, wired.written]).toEqual([[], []]);
  });

  test('gets no refusal if it is a notification', async () => {
    const wired = wire();
    await wired.transport.start();
    await send(wired, '{"jsonrpc":"2.0","id":1,"result":{"a":"', ...long, `"}}\n${lineOf(ping(2))}`);
    expect(wired.received).toEqual([ping(2)]);
    expect(wired.written).toEqual([]);
  });
});

describe('the first message', () => {
  test('can be read before the transport starts', async () => {
    const wired = wire();
    const first = wired.transport.first();
    await send(wired, lineOf(ping(1)), lineOf(ping(2)));
    expect(await first).toEqual(ping(1));
    expect(wired.received).toEqual([]);
    await wired.transport.start();
    await send(wired, lineOf(ping(3)));
    expect(wired.received).toEqual([ping(1), ping(2), ping(3)]);
  });

  test('is undefined if the input ends before it', async () => {
    const wired = wire();
    const first = wired.transport.first();
    wired.input.end();
    expect(await first).toBeUndefined();
    expect(await wired.transport.first()).toBeUndefined();
  });
});

describe('the output', () => {
  test('is written together if it is ready at the same time', async () => {
    const { transport, written } = wire();
    await Promise.all([transport.send(done(1)), transport.send(done(2))]);
    await transport.send(done(3));
    expect(written).toEqual([lineOf(done(1)) + lineOf(done(2)), lineOf(done(3))]);
  });

  test('is still written if the transport closes at once', async () => {
    const { transport, written } = wire();
    const sent = transport.send(done(1));
    await transport.close();
    await sent;
    expect(written).toEqual([lineOf(done(1))]);
  });

  test('fails when the reader is gone, which ends the transport', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const transport = new LineTransport(new PassThrough(), output);
    const errors: string[] = [];
    transport.onerror = ({ message }) => void errors.push(message);
    await expect(transport.send(ping(1))).rejects.toThrow('EPIPE');
    await transport.closed;
    expect(errors).toEqual(['EPIPE']);
    await expect(transport.send(ping(2))).rejects.toThrow('The connection has ended');
  });
});

describe('the end', () => {
  test.each([
    ['the end of what comes in', ({ input }: Wired) => input.end()],
    ['a way in that is destroyed', ({ input }: Wired) => input.destroy()],
    ['a way in that fails', ({ input }: Wired) => input.destroy(new Error('EIO'))],
    ['close', ({ transport }: Wired) => transport.close()],
  ])('comes with %s, once', async (_what, end) => {
    const wired = wire();
    let closed = 0;
    wired.transport.onclose = () => void (closed += 1);
    await wired.transport.start();
    await end(wired);
    await wired.transport.closed;
    await wired.transport.close();
    expect(closed).toBe(1);
  });

  test('waits for the answer to a long call, also if the client has read others before', async () => {
    const wired = wire();
    await wired.transport.start();
    await send(wired, lineOf(ping(1)));
    await wired.transport.send(done(1));
    await send(wired, lineOf(ping(2)));
    vi.useFakeTimers();
    try {
      wired.input.end();
      await vi.advanceTimersByTimeAsync(600_000);
      await wired.transport.send(done(2));
      await wired.transport.closed;
    } finally {
      vi.useRealTimers();
    }
    expect(wired.written).toEqual([lineOf(done(1)), lineOf(done(2))]);
  });

  test('comes at once if the input has already ended', async () => {
    const input = new PassThrough();
    input.resume().end();
    await once(input, 'end');
    const transport = new LineTransport(input, new PassThrough());
    expect(await transport.first()).toBeUndefined();
    await transport.closed;
  });

  test('delivers no later messages', async () => {
    const wired = wire();
    await wired.transport.start();
    wired.transport.onmessage = (message) => {
      wired.received.push(message);
      void wired.transport.close();
    };
    await send(wired, lineOf(ping(1)) + lineOf(ping(2)));
    expect(wired.received).toEqual([ping(1)]);
  });
});
