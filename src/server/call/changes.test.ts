import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { Refusal } from '../../../test/support/peers/raw-client.ts';
import { parseRoots } from '../../path/root.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { createMemory } from '../connection/connection-memory.ts';
import type { RootsChange } from '../settings/rootward.ts';
import type { Attachment } from './attachments.ts';
import { createChanges } from './changes.ts';

/** The parts of a connection that are used. */
function attachmentOf(sessionId?: string): { attachment: Attachment; answer: (...uris: string[]) => void } {
  const memory = createMemory();
  const attachment = { connection: { memory, sessionId } } as unknown as Attachment;
  const answer = (...uris: string[]): void => {
    void memory.keepAnswer(0, { state: 'listed', roots: parseRoots(uris.map((uri) => ({ uri }))).roots });
  };
  return { attachment, answer };
}

test('the first or an equal answer is not a change, a different one is', () => {
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

test('the list of one connection is not a change of another', () => {
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

test('calls no stopped listener, and none after closing', () => {
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

let start: TempTree;
const before = process.cwd();

beforeEach(() => {
  start = tempTree();
  process.chdir(start.path);
});

afterEach(() => {
  process.chdir(before);
  start[Symbol.dispose]();
});

/** Polls, because there is no event for the working directory. */
async function arriveAt(directory: string): Promise<void> {
  while (process.cwd() !== directory) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Longer than a server needs to follow. */
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 80));

describe('eager', () => {
  test('asks as soon as the client is connected, so that the first call need not wait', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: { eager: true } });
    await pair.client.question();
    await aWhile();
    expect((await pair.rootward.workspace()).project.name).toBe('app');
    expect((await pair.call('where')).text).toBe('app');
    expect(pair.client.asked()).toBe(1);
    expect(process.cwd()).toBe(start.path);
  });

  test('does nothing over HTTP, where the request would be lost', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      sessionId: 'one',
      options: { eager: true, chdir: true, merge: 'client' },
    });
    await pair.changed();
    await aWhile();
    expect(pair.client.asked()).toBe(0);
    expect((await pair.call('where')).text).toBe('app');
    expect(process.cwd()).toBe(start.path);
  });

  test('does not ask a disconnected client', async () => {
    using tree = tempTree(['app/']);
    const pair = await connectLegacy({ roots: [tree.at('app')], options: { eager: true, chdir: true } });
    await pair.client.close();
    await aWhile();
    expect(pair.client.asked()).toBe(0);
    await pair.close();
  });

  test('stops when it is closed', async () => {
    using tree = tempTree(['app/']);
    const pair = await connectLegacy({ roots: [tree.at('app')], options: { eager: true } });
    await pair.rootward.close();
    await aWhile();
    expect(pair.client.asked()).toBe(0);
    await pair.client.close();
  });
});

describe('chdir', () => {
  test('stays if the client does not answer, withdraws its roots, or names a missing directory', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: { chdir: true } });
    await arriveAt(tree.at('app'));
    for (const roots of [[], [tree.at('gone')]]) {
      pair.list(...roots);
      await pair.changed();
      await aWhile();
      expect(process.cwd()).toBe(tree.at('app'));
    }
    pair.client.answers.set('roots/list', () => {
      throw new Refusal(-32603);
    });
    await pair.changed();
    await aWhile();
    expect(process.cwd()).toBe(tree.at('app'));
    expect(pair.client.asked()).toBe(4);
  });

  test('does not enter a directory outside the operator’s', async () => {
    using tree = tempTree(['app/', 'srv/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      options: { chdir: true, ceiling: [tree.at('srv')], merge: 'intersect' },
    });
    await pair.client.question();
    await aWhile();
    expect(process.cwd()).toBe(start.path);
  });

  test('follows a 2026-07-28 client after a call has asked it', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectModern({ roots: [tree.at('app')], options: { chdir: true } });
    await pair.call('where');
    await arriveAt(tree.at('app'));
    pair.list(tree.at('docs'));
    await pair.call('where');
    await arriveAt(tree.at('docs'));
    expect(process.cwd()).toBe(tree.at('docs'));
  });

  test('does not change the start directory for detection', async () => {
    using tree = tempTree(['app/package.json = {}', 'docs/package.json = {}']);
    await using pair = await connectLegacy({
      roots: [tree.at('docs'), tree.at('app')],
      options: { chdir: true },
    });
    await arriveAt(tree.at('docs'));
    expect((await pair.call('where')).text).toBe('docs');
    pair.list(tree.at('app'), tree.at('docs'));
    await pair.changed();
    await arriveAt(tree.at('app'));
  });
});
