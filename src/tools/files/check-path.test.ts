import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { checkPath, listAllowedDirectories } from './check-path.ts';

const tree = ['app/src/a.ts', 'app/link => src', 'app/leaving => ../secret', 'app/.env', 'secret'];

async function check(path: string, operation?: string): Promise<Readonly<Record<string, unknown>>> {
  using made = tempTree(tree);
  await using call = await openToolCall([made.at('app')], { policy: { preset: 'write-in-project' } });
  const { structuredContent } = await call.run(checkPath, { path, ...(operation && { operation }) });
  expect(existsSync(made.at('app/src/new.ts'))).toBe(false);
  expect(call.audit.entries()).toEqual([expect.objectContaining({ event: 'look', path })]);
  return structuredContent;
}

test('reports what would be allowed, where and by which rule', async () => {
  expect(await check('link/a.ts')).toMatchObject({
    allowed: true,
    rule: 'preset:write-in-project',
    root: 'app',
    place: 'src/a.ts',
    kind: 'file',
  });
  const written = await check('link/new.ts', 'write');
  expect(written).toMatchObject({ allowed: true, place: 'src/new.ts' });
  expect(written).not.toHaveProperty('kind');
});

test('reports what would be refused, and by which rule', async () => {
  expect(await check('.env')).toMatchObject({ allowed: false, rule: 'deny:.env', code: 'DENIED' });
  expect(await check('src/a.ts', 'remove')).toMatchObject({ allowed: false, code: 'DENIED' });
  expect(await check('leaving')).toMatchObject({ allowed: false, code: 'OUTSIDE_ROOTS' });
  expect(await check('../secret')).toMatchObject({ allowed: false, rule: 'outside-roots' });
});

test('also answers in words', async () => {
  using made = tempTree(tree);
  await using call = await openToolCall([made.at('app')]);
  const { content } = await call.run(checkPath, { path: 'src/a.ts', operation: 'write' });
  const [first] = content;
  expect(first).toMatchObject({
    text: /^write src\/a\.ts: allowed\nplace: src\/a\.ts \(file\)\nroot: app\nrule: /,
  });
});

test('lists every root', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  const { structuredContent } = await call.run(listAllowedDirectories);
  expect(structuredContent).toEqual({
    content: `Allowed directories:\n${tree.at('app')}\n${tree.at('docs')}`,
  });
});
