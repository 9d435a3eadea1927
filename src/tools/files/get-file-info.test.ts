import { chmodSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { getFileInfo } from './get-file-info.ts';

test('describes a file', async () => {
  using tree = tempTree(['app/a.txt = 12345', 'app/link => a.txt']);
  chmodSync(tree.at('app/a.txt'), 0o640);
  const time = new Date('2026-01-02T03:04:05Z');
  utimesSync(tree.at('app/a.txt'), time, time);
  await using call = await openToolCall([tree.at('app')]);
  for (const path of ['a.txt', 'link']) {
    const { structuredContent } = await call.run(getFileInfo, { path });
    const lines = String(structuredContent['content']).split('\n');
    expect(lines).toContain('size: 5');
    expect(lines).toContain(`modified: ${String(time)}`);
    expect(lines.slice(4)).toEqual(['isDirectory: false', 'isFile: true', 'permissions: 640']);
  }
});

test('a pipe is neither file nor directory, and the root is a directory', async () => {
  using tree = tempTree(['app/pipe|']);
  await using call = await openToolCall([tree.at('app')]);
  expect((await call.run(getFileInfo, { path: 'pipe' })).structuredContent['content']).toContain(
    'isDirectory: false\nisFile: false',
  );
  expect((await call.run(getFileInfo, { path: '.' })).structuredContent['content']).toContain(
    'isDirectory: true',
  );
});

test('reveals nothing about files outside', async () => {
  using tree = tempTree(['app/leaving => ../secret', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(getFileInfo, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
});
