import { expect, test } from 'vitest';
import { listDirectory } from '../tools/files/list-directory.ts';
import { openToolCall } from './open-tool-call.ts';
import { tempTree } from './temp-tree.ts';

test('the first directory is the project', async () => {
  using tree = tempTree(['app/a.txt', 'docs/b.txt']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  const { project, roots } = await call.workspace();
  expect(project.location).toBe(tree.at('app'));
  expect(roots.map(({ name }) => name)).toEqual(['app', 'docs']);
  const place = await call.access({ operation: 'read', path: 'a.txt' }, ({ root }) => root.name);
  expect(place).toBe('app');
});

test('enforces rules and records decisions', async () => {
  using tree = tempTree(['app/a.txt']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  await expect(call.access({ operation: 'write', path: 'a.txt' }, () => 1)).rejects.toMatchObject({
    code: 'DENIED',
  });
  expect(await call.check({ operation: 'read', path: 'a.txt' })).toMatchObject({ allowed: true });
  expect(call.audit.entries().map(({ event, verdict }) => [event, verdict])).toEqual([
    [undefined, 'deny'],
    ['look', 'allow'],
  ]);
});

test('runs tools by their schemas', async () => {
  using tree = tempTree(['app/a.txt']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(listDirectory, { path: '.' });
  expect(structuredContent).toEqual({ content: '[FILE] a.txt' });
  await expect(call.run(listDirectory)).rejects.toThrow('expected string');
  call.progress(1, 2, 'half');
  expect(call.reports).toEqual(['half']);
});
