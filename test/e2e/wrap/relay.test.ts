import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Wrapped, wrapHere } from '../../support/peers/wrap-here.ts';
import { eventually } from '../../support/http/eventually.ts';

let wrapped: Wrapped;

beforeAll(async () => {
  wrapped = wrapHere({ mode: 'banner', capabilities: { elicitation: {} } });
  await wrapped.initialize();
});

afterAll(async () => wrapped[Symbol.asyncDispose]());

/** The line with which the server got a call, as it came. */
async function lineWith(mark: string): Promise<string> {
  const lines = JSON.parse(await wrapped.call('lines')) as readonly string[];
  const decoded = lines.map((line) => Buffer.from(line, 'base64').toString('utf8'));
  return decoded.find((line) => line.includes(mark)) ?? '';
}

describe('from the client to the server', () => {
  test('unknown fields, metadata, spaces and the order of keys stay as they are', async () => {
    const line =
      '{ "params":{"_meta":{"traceparent":"00-aa","x.y/z":[1,{"b":1,"a":2}]},"arguments":{"text":"same \\u00e4ä"},"name":"echo"},' +
      '"method" : "tools/call","odd":1e2,  "id":"byte-1","jsonrpc":"2.0"}';
    wrapped.write(`${line}\n`);
    await wrapped.find(({ id }) => id === 'byte-1');
    expect(await lineWith('byte-1')).toBe(line);
  });

  test('characters that are split between chunks arrive whole', async () => {
    const line = Buffer.from(
      '{"jsonrpc":"2.0","id":"cut","method":"tools/call","params":{"name":"echo","arguments":{"text":"äöü€😀"}}}\n',
    );
    for (const byte of line) wrapped.write(Buffer.of(byte));
    expect((await wrapped.find(({ id }) => id === 'cut')).result).toMatchObject({
      content: [{ text: 'äöü€😀' }],
    });
  });

  test('a line of 9 MiB passes, one of 11 MiB is refused, and the next one passes', async () => {
    const nine = 'n'.repeat(9 * 1024 * 1024);
    expect((await wrapped.call('echo', { text: nine })).length).toBe(nine.length);
    const { error } = await wrapped.request('tools/call', {
      name: 'echo',
      arguments: { text: 'e'.repeat(11 * 1024 * 1024) },
    });
    expect(error).toMatchObject({ code: -32_600, message: expect.stringContaining('longer than') });
    expect(await wrapped.call('echo', { text: 'on' })).toBe('on');
  });

  test.each([
    ['no JSON', 'hello', -32_700],
    ['half a message', '{"jsonrpc":"2.0","id":1', -32_700],
    ['an empty batch', '[]', -32_600],
    ['a batch with initialize', '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', -32_600],
  ])('%s is answered, and the stream goes on', async (_name, line, code) => {
    const before = wrapped.messages().length;
    wrapped.write(`${line}\n`);
    await eventually(() =>
      expect(wrapped.messages().slice(before)).toMatchObject([{ id: null, error: { code } }]),
    );
  });

  test('a batch is answered by one line', async () => {
    const member = (id: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: id } },
    });
    wrapped.write(
      `${JSON.stringify([member('b1'), { jsonrpc: '2.0', method: 'notifications/x' }, member('b2')])}\n`,
    );
    await wrapped.find(({ id }) => id === 'b2');
    expect(
      wrapped.lines.filter((line) => line.startsWith('[') && line.includes('b1') && line.includes('b2')),
    ).toHaveLength(1);
  });

  test('headers of another framing are named once', async () => {
    wrapped.write('Content-Length: 10\r\n\r\nContent-Length: 10\r\n');
    await wrapped.call('echo', { text: '' });
    expect(wrapped.stderr().split('Content-Length').length).toBe(2);
  });

  test('a method or an id that every object has is nothing special', async () => {
    expect(await wrapped.request('constructor')).toMatchObject({ result: {} });
    wrapped.write('{"jsonrpc":"2.0","id":"__proto__","method":"ping"}\n');
    expect(await wrapped.find(({ id }) => id === '__proto__')).toMatchObject({ result: {} });
  });

  test('a cancellation reaches the server at once, under the id of its call', async () => {
    wrapped.write('{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"hang"}}\n');
    wrapped.notify('notifications/cancelled', { requestId: 'long', reason: 'enough' });
    expect(await lineWith('notifications/cancelled')).toContain('"requestId":"long"');
    expect(wrapped.audit.entries().find(({ tool }) => tool === 'hang')).toMatchObject({
      outcome: 'cancelled',
    });
  });
});

describe('from the server to the client', () => {
  test('an answer that is too long fails its call, and the stream goes on', async () => {
    const { error } = await wrapped.request('tools/call', { name: 'long', arguments: {} });
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('longer than') });
    expect(await wrapped.call('echo', { text: 'on' })).toBe('on');
  });

  test('lines that are no messages go to stderr, with one sentence about it', async () => {
    await wrapped.call('print', { text: 'Listening …' });
    expect(wrapped.stderr()).toContain('Server ready\n{"level":"info"}\n');
    expect(wrapped.stderr()).toContain('Listening …\n');
    expect(wrapped.stderr().split('prints to stdout').length).toBe(2);
  });

  test('bytes, carriage returns and results that no schema allows pass as they are', async () => {
    const line = '{"id":"odd-1", "result" :{"content":"none","isError":0,"z":1,"a":[ ]},"jsonrpc":"2.0"}\r';
    wrapped.write(
      '{"jsonrpc":"2.0","id":"odd-1","method":"tools/call","params":{"name":"raw","arguments":{"text":' +
        JSON.stringify(`${line}\n`) +
        '}}}\n',
    );
    await wrapped.find(({ id }) => id === 'odd-1');
    expect(wrapped.lines.at(-1)).toBe(line);
  });

  test('a byte order mark is taken away, and a batch is split', async () => {
    const raw =
      '\uFEFF{"jsonrpc":"2.0","id":"bom","result":{}}\n[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","method":"notifications/b"}]\n';
    wrapped.write(
      `{"jsonrpc":"2.0","id":"bom","method":"tools/call","params":{"name":"raw","arguments":{"text":${JSON.stringify(raw)}}}}\n`,
    );
    await wrapped.find(({ method }) => method === 'notifications/b');
    expect(wrapped.lines.slice(-3).map((line) => line.slice(0, 16))).toEqual(
      Array.from({ length: 3 }, () => '{"jsonrpc":"2.0"'),
    );
  });

  test('characters that are split between chunks arrive whole', async () => {
    expect(await wrapped.call('split', { text: 'äöü€😀' })).toBe('äöü€😀');
  });

  test('progress passes while its call runs, and is dropped after its end', async () => {
    for (const id of ['p1', 'p2'])
      wrapped.write(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"progress","_meta":{"progressToken":"one"}}}\n`,
      );
    await wrapped.find(({ id }) => id === 'p2');
    await wrapped.call('echo', { text: '' });
    const progress = wrapped.messages().filter(({ method }) => method === 'notifications/progress');
    // The second call still runs when the first one reports after its end, under the same token.
    expect(progress.map(({ params }) => params?.['progress'])).toEqual([1, 2, 1]);
  });

  test('questions reach a client that can answer them, under the ids of the server', async () => {
    wrapped.answers.set('elicitation/create', () => ({ result: { action: 'decline' } }));
    const answer = await wrapped.call('ask', { method: 'elicitation/create', params: { message: 'Well?' } });
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', result: { action: 'decline' } });
    const refused = await wrapped.call('ask', { method: 'sampling/createMessage', params: {} });
    expect(JSON.parse(refused)).toMatchObject({ error: { code: -32_601 } });
    expect(wrapped.asked).toEqual(['elicitation/create']);
  });
});

test('10,000 calls with 64 in flight are all answered, each once', async () => {
  const before = wrapped.lines.length;
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < 10_000) await wrapped.ping(`n${(sent += 1)}`);
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  expect(wrapped.lines.length - before).toBe(10_000);
});

test('a client that does not read stops the server, and gets everything in the end', async () => {
  await using slow = wrapHere();
  await slow.initialize();
  const text = 'x'.repeat(512 * 1024);
  slow.stopReading();
  const answers = Array.from({ length: 12 }, () => slow.call('echo', { text }));
  await eventually(() => expect(slow.waitingBytes()).toBeGreaterThan(1024 * 1024));
  expect(slow.waitingBytes()).toBeLessThan(4 * 1024 * 1024);
  slow.startReading();
  expect((await Promise.all(answers)).every((answer) => answer.length === text.length)).toBe(true);
});
