import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { reach } from './reach.ts';

test('a refusal names the path as it was asked', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  const asked = [tree.at('app/missing.txt'), 'missing.txt', toFileUri(tree.at('app/missing.txt'))];
  for (const path of asked) {
    const reading = reach(call, { operation: 'read', path }, ({ boundary, relative }) =>
      boundary.readText(relative),
    );
    await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND', data: { path } });
  }
});

test('other failures stay what they are', async () => {
  using tree = tempTree(['app/a.txt', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const failing = reach(call, { operation: 'read', path: 'a.txt' }, () => {
    throw new TypeError('mine');
  });
  await expect(failing).rejects.toThrow(TypeError);
  const path = tree.at('secret');
  await expect(reach(call, { operation: 'read', path }, () => 1)).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
    data: { path },
  });
});

test('the home of whoever runs the server can be named, and grants nothing', async () => {
  using tree = tempTree(['home/app/a.txt = A', 'home/secret = S']);
  const { HOME } = process.env;
  process.env['HOME'] = tree.at('home');
  try {
    await using call = await openToolCall([tree.at('home/app')]);
    const read = (path: string): Promise<string> =>
      reach(call, { operation: 'read', path }, ({ boundary, relative }) => boundary.readText(relative));
    expect(await read('~/app/a.txt')).toBe('A');
    // The same without the boundary: there is something to be had there.
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

test('a tool that knows the next step says it', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  const request = { operation: 'read', path: 'a.txt', remedies: { NOT_FOUND: 'Write it first' } } as const;
  const reading = reach(call, request, ({ boundary, relative }) => boundary.readText(relative));
  await expect(reading).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Cannot read "a.txt": it does not exist',
    hint: 'Write it first',
  });
});
