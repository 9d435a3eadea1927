import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import type { Attachment } from './attachment.ts';
import { createChanges } from './changes.ts';
import { createMemory } from '../connection/connection-memory.ts';
import type { RootsChange } from '../settings/rootward.ts';

/** As much of a connection as is looked at. */
function attachmentOf(sessionId?: string): { attachment: Attachment; answer: (...uris: string[]) => void } {
  const memory = createMemory();
  const attachment = { connection: { memory, sessionId } } as unknown as Attachment;
  const answer = (...uris: string[]): void => {
    void memory.keepAnswer(0, { state: 'listed', roots: parseRoots(uris.map((uri) => ({ uri }))).roots });
  };
  return { attachment, answer };
}

test('the first answer is no change, an equal one is none, another one is', () => {
  const changes = createChanges();
  const heard: RootsChange[] = [];
  changes.on((change) => heard.push(change));
  const { attachment, answer } = attachmentOf('s');
  for (const uris of [
    ['file:///a'],
    ['file:///a'],
    ['file:///a', 'file:///b'],
    ['file:///b', 'file:///a'],
    [],
  ]) {
    answer(...uris);
    changes.check(attachment);
  }
  expect(heard.map(({ roots }) => roots.map(({ path }) => path))).toEqual([['/a', '/b'], ['/b', '/a'], []]);
  expect(heard.map(({ sessionId }) => sessionId)).toEqual(['s', 's', 's']);
});

test('what one connection lists is no change of another one', () => {
  const changes = createChanges();
  let heard = 0;
  changes.on(() => (heard += 1));
  const one = attachmentOf();
  const two = attachmentOf();
  one.answer('file:///a');
  two.answer('file:///b');
  changes.check(one.attachment);
  changes.check(two.attachment);
  expect(heard).toBe(0);
});

test('who stopped, and who is closed, hears nothing more', () => {
  const changes = createChanges();
  let heard = 0;
  const stop = changes.on(() => (heard += 1));
  changes.on(() => (heard += 10));
  const { attachment, answer } = attachmentOf();
  answer('file:///a');
  changes.check(attachment);
  stop();
  answer('file:///b');
  changes.check(attachment);
  expect(heard).toBe(10);
  changes.close();
  answer('file:///c');
  changes.check(attachment);
  expect(heard).toBe(10);
});
