import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ClientLink, framesIn } from './client-link.ts';

test('every line gets its answer, and questions of the gateway their answers', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<Answer> => JSON.parse((await lines.next()).value as string) as Answer;
  const link = new ClientLink(
    { input, output },
    {
      message: (frame) => void heard.push(frame.method ?? `answer ${frame.id}`),
      tell: (sentence) => void heard.push(sentence),
      full: () => undefined,
      drained: () => undefined,
      gone: () => undefined,
      end: () => void heard.push('end'),
    },
  );
  const answer = link.ask('roots/list');
  const id = String((await nextLine()).id);
  input.write(
    `x\n\n{"jsonrpc":"2.0","id":"${id}","result":{"roots":[]}}\n{"jsonrpc":"2.0","id":5,"result":{}}\n`,
  );
  expect(await answer).toEqual({ roots: [] });
  expect(await nextLine()).toMatchObject({ id: null, error: { code: -32_700 } });
  for (const request of [
    '"id":7,"method":"a","Method":"b"',
    '"id":null,"method":"tools/call"',
    '"method":"a"',
  ]) {
    input.write(`{"jsonrpc":"2.0",${request}}\n`);
    expect(await nextLine()).toMatchObject({ error: { code: -32_600 } });
  }
  input.end('Content-Length: 5\n');
  await expect.poll(() => heard.at(-1)).toBe('end');
  expect(heard[0]).toBe('answer 5');
  expect(heard[1]).toContain('Content-Length');
  link.close();
});

interface Answer {
  readonly id: unknown;
}

test.each(['[]', '[1', '[1]', '{}', '[{"a":1}]'])('%j is no batch of messages', (line) => {
  expect(framesIn(line)).toBeUndefined();
});

test('a batch is its messages', () => {
  expect(framesIn('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"}]')).toMatchObject([
    { id: 1, method: 'a' },
    { id: undefined, method: 'b' },
  ]);
});
