import { linkSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Boundary } from '../boundary.ts';
import { openWith } from '../open-boundary.ts';
import type { Guard } from '../step/context.ts';
import type { ReadTextsOptions } from './read-texts.ts';
import { createTextReaders } from './text-readers.ts';

const readers = createTextReaders(2);
afterAll(() => readers.close());

type Wish = Partial<ReadTextsOptions>;

async function read(boundary: Boundary, wish: Wish = {}, path = '.'): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { readers, wanted: () => true, limit: 1_000, ...wish };
  for await (const texts of boundary.readTexts(path, options))
    found.push(...texts.map(({ path: name, bytes }) => `${name} = ${bytes.toString()}`));
  return found;
}

const entries = [
  'app/b.txt = two',
  'app/a.txt = one',
  'app/.gitignore = *.log\n',
  'app/x.log = ignored',
  'app/sub/deep/d.txt = four',
  'app/sub/c.txt = three',
  'app/leaving => ../out',
  'app/file => ../out/secret',
  'app/near => a.txt',
  'app/pipe|',
  'app/none = a\0b',
  'out/secret = outside',
];

describe.each(drivers)('with the %s driver', (_name, driver) => {
  const open = (tree: TempTree, options = {}): Boundary => openWith(driver, tree.at('app'), { ...options });

  test('reads texts in order, follows no link, and leaves nothing open', async () => {
    using tree = tempTree(entries);
    {
      await using boundary = open(tree);
      expect(await read(boundary)).toEqual([
        '.gitignore = *.log\n',
        'a.txt = one',
        'b.txt = two',
        'x.log = ignored',
        'sub/c.txt = three',
        'sub/deep/d.txt = four',
      ]);
      expect(await read(boundary, { gitignore: true }, 'sub')).toEqual([
        'sub/c.txt = three',
        'sub/deep/d.txt = four',
      ]);
      expect(
        await read(boundary, { gitignore: true, wanted: (path) => /\.(?:txt|log)$/.test(path) }),
      ).toEqual(['a.txt = one', 'b.txt = two', 'sub/c.txt = three', 'sub/deep/d.txt = four']);
      expect(await read(boundary, { holding: Buffer.from('t') })).toEqual([
        'b.txt = two',
        'sub/c.txt = three',
      ]);
    }
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('checks the guard for every file and the directories on its way', async () => {
    using tree = tempTree(entries);
    await using boundary = open(tree);
    const denying = (...denied: readonly string[]): Boundary => {
      const guard: Guard = (operation, relative) =>
        operation === 'read' && denied.includes(relative) ? new Error('no') : undefined;
      return boundary.guarded(guard);
    };
    expect((await read(denying('a.txt', 'sub/deep', '.gitignore'))).join()).toBe(
      'b.txt = two,x.log = ignored,sub/c.txt = three',
    );
    expect(await read(denying('sub'), { holding: Buffer.from('t') })).toEqual(['b.txt = two']);
    expect(await read(denying('.gitignore'), { gitignore: true })).toContain('x.log = ignored');
  });

  test('skips files that are too large, or have two names where that is refused', async () => {
    using tree = tempTree(['app/a = one', 'app/b = two']);
    linkSync(tree.at('app/a'), tree.at('app/c'));
    writeFileSync(tree.at('app/large'), 'x'.repeat(1_001));
    await using boundary = open(tree, { hardLinks: 'refuse' });
    expect(await read(boundary)).toEqual(['b = two']);
  });

  test('handles more files than are read at once, and a caller that stops early', async () => {
    using tree = tempTree(
      Array.from({ length: 900 }, (_, index) => `app/d${index % 50}/f${index} = ${index}`),
    );
    await using boundary = open(tree);
    const all = await read(boundary);
    expect(all).toHaveLength(900);
    expect(all).toEqual(await read(boundary));
    const texts = boundary.readTexts('.', { readers, wanted: () => true, limit: 1_000 });
    await texts.next();
    await texts.return(undefined);
    expect(openHandles(tree.at('app'))).toEqual([tree.at('app')]);
  });

  test('stops when it is cancelled, and reports the limit that ended the walk', async () => {
    using tree = tempTree(entries);
    await using boundary = open(tree);
    await expect(read(boundary, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    const texts = boundary.readTexts('.', { readers, wanted: () => true, limit: 1_000, entries: 1 });
    let next = await texts.next();
    while (next.done !== true) next = await texts.next();
    expect(next.value).toBe('entries');
  });
});
