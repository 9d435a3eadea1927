import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ClientLink, framesIn } from './client-link.ts';

test('every line gets its answer, and questions of the gateway their answers', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const ended = new Promise<void>((end) => {
    const link: ClientLink = new ClientLink(
      { input, output },
      {
        message: (frame) => void heard.push(frame.method ?? `answer ${frame.id}`),
        tell: (sentence) => void heard.push(sentence),
        full: () => undefined,
        drained: () => undefined,
        gone: () => undefined,
        end,
      },
    );
    void link.ask('roots/list').then((result) => heard.push(JSON.stringify(result)));
    output.once('data', (line: Buffer) => {
      const { id } = JSON.parse(line.toString()) as { id: string };
      input.end(
        `x\n\n{"jsonrpc":"2.0","id":"${id}","result":{"roots":[]}}\n{"jsonrpc":"2.0","id":5,"result":{}}\nContent-Length: 5\n`,
      );
      output.end();
    });
  });
  await ended;
  await text(output).catch(() => '');
  expect(heard).toEqual([
    'answer 5',
    'the client sends Content-Length headers; on stdio each message is one line',
    '{"roots":[]}',
  ]);
});

test.each(['[]', '[1', '[1]', '{}', '[{"a":1}]'])('%j is no batch of messages', (line) => {
  expect(framesIn(line)).toBeUndefined();
});

test('a batch is its messages', () => {
  expect(framesIn('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"}]')).toMatchObject([
    { id: 1, method: 'a' },
    { id: undefined, method: 'b' },
  ]);
});
