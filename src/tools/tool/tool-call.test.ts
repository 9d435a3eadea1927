import { readFileSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { copyFile } from '../files/copy-file.ts';
import { getFileInfo } from '../files/get-file-info.ts';
import { removeFile } from '../files/remove-file.ts';
import { buildConfig } from '../project/build-config.ts';
import { createStallWatch } from './stall-watch.ts';
import { createTicker, createToolCall, runTool, type ToolWorkspace } from './tool-call.ts';

/** What an attached server offers, over a real workspace. */
async function workspaceOf(path: string): Promise<ToolWorkspace & AsyncDisposable> {
  const call = await openToolCall([path]);
  return {
    workspace: () => call.workspace(),
    access: (_context, request, act) => call.access(request, act),
    check: (_context, request) => call.check(request),
    [Symbol.asyncDispose]: () => call.close(),
  };
}

const watched = createStallWatch().enter('any');

const contexts = {
  'SDK v1': (signal: AbortSignal, notify: unknown, _meta?: object) => ({
    signal,
    sendNotification: notify,
    _meta,
  }),
  'SDK v2': (signal: AbortSignal, notify: unknown, _meta?: object) => ({ mcpReq: { signal, notify, _meta } }),
};

test.each(Object.entries(contexts))('reads the context of %s', async (_name, contextOf) => {
  using tree = tempTree(['app/a.txt = A']);
  await using rootward = await workspaceOf(tree.at('app'));
  const { signal } = new AbortController();
  const sent: unknown[] = [];
  const notify = async (notification: unknown): Promise<void> => void sent.push(notification);
  const call = createToolCall(rootward, contextOf(signal, notify, { progressToken: 7 }), {
    watched,
    room: 5,
  });
  expect(call.room).toBe(5);
  expect(call.signal).toBe(signal);
  call.progress(1, undefined, 'one');
  call.progress(2, 3);
  expect(sent).toEqual([
    { method: 'notifications/progress', params: { progressToken: 7, progress: 1, message: 'one' } },
    { method: 'notifications/progress', params: { progressToken: 7, progress: 2, total: 3 } },
  ]);
  const text = await call.access({ operation: 'read', path: 'a.txt' }, ({ boundary }) =>
    boundary.readText('a.txt'),
  );
  expect(text).toBe('A');
  expect((await call.workspace()).project.name).toBe('app');
  expect(await call.check({ operation: 'read', path: 'a.txt' })).toMatchObject({ allowed: true });
});

test('reports no progress unless requested', async () => {
  using tree = tempTree(['app/']);
  await using rootward = await workspaceOf(tree.at('app'));
  const sent: unknown[] = [];
  const call = createToolCall(
    rootward,
    contexts['SDK v1'](new AbortController().signal, () => sent.push(1)),
    { watched, room: 5 },
  );
  call.progress(1);
  expect(sent).toEqual([]);
});

test('ignores a notification that cannot be sent', async () => {
  using tree = tempTree(['app/']);
  await using rootward = await workspaceOf(tree.at('app'));
  const notify = (): Promise<never> => Promise.reject(new Error('closed'));
  const call = createToolCall(
    rootward,
    contexts['SDK v2'](new AbortController().signal, notify, { progressToken: 1 }),
    { watched, room: 5 },
  );
  expect(() => call.progress(1)).not.toThrow();
});

test('a brief tool runs without the watch', async () => {
  using tree = tempTree(['app/a.txt = A']);
  await using rootward = await workspaceOf(tree.at('app'));
  const entered: string[] = [];
  const stalls = {
    enter: (tool: string) => {
      entered.push(tool);
      return watched;
    },
    close: () => undefined,
  };
  for (const tool of [getFileInfo, { ...getFileInfo, name: 'long', isBrief: false }]) {
    const result = await runTool(tool, { path: 'a.txt' }, { rootward, context: {}, stalls });
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining('size: 1') as string }] });
  }
  expect(entered).toEqual(['long']);
});

test('a refusal names the path as given', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  const asked = [tree.at('app/missing.txt'), 'missing.txt', toFileUri(tree.at('app/missing.txt'))];
  for (const path of asked) {
    const reading = call.reach({ operation: 'read', path }, ({ boundary, relative }) =>
      boundary.readText(relative),
    );
    await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND', data: { path } });
  }
});

test('leaves other errors alone', async () => {
  using tree = tempTree(['app/a.txt', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const failing = call.reach({ operation: 'read', path: 'a.txt' }, () => {
    throw new TypeError('mine');
  });
  await expect(failing).rejects.toThrow(TypeError);
  const path = tree.at('secret');
  await expect(call.reach({ operation: 'read', path }, () => 1)).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
    data: { path },
  });
});

test('~ can be used in paths, and grants nothing', async () => {
  using tree = tempTree(['home/app/a.txt = A', 'home/secret = S']);
  const { HOME } = process.env;
  process.env['HOME'] = tree.at('home');
  try {
    await using call = await openToolCall([tree.at('home/app')]);
    const read = (path: string): Promise<string> =>
      call.reach({ operation: 'read', path }, ({ boundary, relative }) => boundary.readText(relative));
    expect(await read('~/app/a.txt')).toBe('A');
    // The same without the boundary: there is something to read.
    expect(readFileSync(tree.at('home/secret'), 'utf8')).toBe('S');
    const data = { path: '~/secret' };
    await expect(read('~/secret')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS', data });
    await expect(read('~/app/../secret')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await expect(read('~/app/b.txt')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { path: '~/app/b.txt' },
    });
  } finally {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  }
});

test('a tool can add the next step to a refusal', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  const request = { operation: 'read', path: 'a.txt', remedies: { NOT_FOUND: 'Write it first' } } as const;
  const reading = call.reach(request, ({ boundary, relative }) => boundary.readText(relative));
  await expect(reading).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Cannot read "a.txt": it does not exist',
    hint: 'Write it first',
  });
});

test('reports soon, and then at most four times a second', () => {
  const reports: (readonly [number, string | undefined])[] = [];
  let time = 0;
  const tick = createTicker(
    { progress: (done, _total, message) => void reports.push([done, message]) },
    () => time,
  );
  for (let done = 1; done <= 100; done += 1) {
    time += 10;
    tick(done, `${done} files`);
  }
  expect(reports).toEqual([
    [5, '5 files'],
    [30, '30 files'],
    [55, '55 files'],
    [80, '80 files'],
  ]);
});

test('increases with every report, even if another part starts', () => {
  let time = 0;
  const reports: number[] = [];
  const tick = createTicker({ progress: (done) => void reports.push(done) }, () => (time += 260));
  for (const done of [5, 7, 0, 1, 20]) tick(done, '');
  expect(reports).toEqual([5, 7, 8, 9, 20]);
});

describe('with a clock that runs fast', () => {
  beforeEach(() => {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 260));
  });

  afterEach(() => vi.restoreAllMocks());

  test('a copy reports its progress', async () => {
    using tree = tempTree(['app/large']);
    truncateSync(tree.at('app/large'), 3 * 1_048_576);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(copyFile, { source: 'large', destination: 'copy' });
    expect(call.reports).toContain('2.00 MB of 3.00 MB');
  });

  test('the removal of a tree reports its progress', async () => {
    using tree = tempTree(['app/sub/a', 'app/sub/b', 'app/sub/deep/c']);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(removeFile, { path: 'sub', recursive: true });
    expect(call.reports).toEqual([2, 3, 4, 5].map((count) => `${count} entries removed`));
  });

  test('the search for build commands reports its progress', async () => {
    using tree = tempTree([
      'app/Makefile = all:\n',
      'app/one/package.json = {}',
      'app/two/package.json = {}',
    ]);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(buildConfig);
    expect(call.reports).toContain('2 of 3 projects looked into');
  });
});
