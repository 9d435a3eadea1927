import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LineReader, longestMessage } from './line-reader.ts';

function read(): { input: PassThrough; heard: string[]; ended: Promise<void> } {
  const input = new PassThrough();
  const heard: string[] = [];
  const ended = new Promise<void>((end) => {
    const reader = new LineReader(input, {
      line: (bytes) => heard.push(bytes.toString()),
      tooLong: ({ requestId, answeredId }) => heard.push(`too long ${requestId ?? answeredId}`),
      end,
    });
    reader.resume();
  });
  return { input, heard, ended };
}

test('lines are whole, with their line break, however they were cut', async () => {
  const { input, heard, ended } = read();
  for (const byte of Buffer.from('ä\n\nb\r\nlast')) input.write(Buffer.of(byte));
  input.end();
  await ended;
  expect(heard).toEqual(['ä\n', '\n', 'b\r\n', 'last\n']);
});

test('a line of exactly the limit passes; a longer one is dropped with what is known of it', async () => {
  const { input, heard, ended } = read();
  input.write(`${'x'.repeat(longestMessage)}\n`);
  input.write(`{"id":7,"method":"a","params":"${'x'.repeat(longestMessage)}"}\n`);
  input.write(`{"result":"${'x'.repeat(longestMessage)}","id":8}\nnext\n`);
  input.end();
  await ended;
  expect(heard.map((line) => line.slice(0, 10))).toEqual([
    'x'.repeat(10),
    'too long 7',
    'too long 8',
    'next\n',
  ]);
});

test('a stream that was closed before ends it', async () => {
  const input = new PassThrough();
  input.destroy();
  const ended = new Promise<void>((end) => {
    new LineReader(input, { line: () => undefined, tooLong: () => undefined, end }).resume();
  });
  await expect(ended).resolves.toBeUndefined();
});

test('after close nothing is heard', async () => {
  const input = new PassThrough();
  const heard: string[] = [];
  const listener = {
    line: (bytes: Buffer) => void heard.push(bytes.toString()),
    tooLong: () => undefined,
    end: () => void heard.push('end'),
  };
  const reader = new LineReader(input, listener);
  reader.close();
  expect(input.isPaused()).toBe(true);
  input.end('a\n');
  input.resume();
  await new Promise((resolve) => input.on('end', resolve));
  expect(heard).toEqual([]);
});
