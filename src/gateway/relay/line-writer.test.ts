import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

function listen() {
  const heard: string[] = [];
  const say = (word: string) => (): void => void heard.push(word);
  return { heard, listener: { full: say('full'), drained: say('drained'), failed: say('failed') } };
}

test('lines that are ready together are written together', async () => {
  const writes: number[] = [];
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      writes.push(1);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.length);
      done();
    },
  });
  const writer = new LineWriter(output, listen().listener);
  for (let count = 0; count < 5; count += 1) writer.send({ count });
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toEqual([5]);
});

test('a reader that is slow is reported once, and again when it has caught up', async () => {
  const output = new PassThrough();
  const { heard, listener } = listen();
  const writer = new LineWriter(output, listener);
  for (let count = 0; count < 4; count += 1) writer.write(Buffer.alloc(600 * 1024, 'x'));
  expect(heard).toEqual(['full']);
  const drained = new Promise((resolve) => output.once('drain', resolve));
  output.resume();
  await drained;
  expect(heard).toEqual(['full', 'drained']);
});

test('a reader that is gone is reported, and later writes do nothing', async () => {
  const output = new PassThrough();
  const { heard, listener } = listen();
  const writer = new LineWriter(output, listener);
  const closed = new Promise((resolve) => output.once('close', resolve));
  output.destroy(new Error('EPIPE'));
  await closed;
  writer.write('a\n');
  writer.close();
  expect(heard).toEqual(['failed']);
});
