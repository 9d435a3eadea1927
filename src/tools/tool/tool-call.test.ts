import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createStallWatch } from './stall-watch.ts';
import { createToolCall, type ToolWorkspace } from './tool-call.ts';

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
  const call = createToolCall(rootward, contextOf(signal, notify, { progressToken: 7 }), watched);
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

test('says nothing about progress where nobody asked', async () => {
  using tree = tempTree(['app/']);
  await using rootward = await workspaceOf(tree.at('app'));
  const sent: unknown[] = [];
  const call = createToolCall(
    rootward,
    contexts['SDK v1'](new AbortController().signal, () => sent.push(1)),
    watched,
  );
  call.progress(1);
  expect(sent).toEqual([]);
});

test('a notification that cannot be sent harms nobody', async () => {
  using tree = tempTree(['app/']);
  await using rootward = await workspaceOf(tree.at('app'));
  const notify = (): Promise<never> => Promise.reject(new Error('closed'));
  const call = createToolCall(
    rootward,
    contexts['SDK v2'](new AbortController().signal, notify, { progressToken: 1 }),
    watched,
  );
  expect(() => call.progress(1)).not.toThrow();
});
