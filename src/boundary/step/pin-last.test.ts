import { linkSync, lstatSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type OpenContext, openContext } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { BoundaryContext, Request } from './context.ts';
import type { Pinned } from '../system/driver.ts';
import { pinLast, requireRegular } from './pin-last.ts';
import { LinkFound } from './resolve.ts';

const request: Request = { operation: 'read', verb: 'read', path: 'as/asked' };

function pinAt(context: OpenContext, name: string, directory = false): Pinned | LinkFound {
  return pinLast(context, request, { parent: context.top, name, relative: name, directory });
}

function pinned(context: OpenContext, name: string): Pinned {
  const found = pinAt(context, name);
  if (found instanceof LinkFound) throw new Error(`${name} is a link`);
  return found;
}

describe('pinLast', () => {
  test.each(['file', 'd', 'pipe'])('holds %s', (name) => {
    using tree = tempTree(['file', 'd/', 'pipe|']);
    using context = openContext(tree.path);
    const held = pinned(context, name);
    expect(held.stats.ino).toBe(lstatSync(tree.at(name)).ino);
    context.driver.close(held);
  });

  test.each([
    ['link', 'file'],
    ['dangling', '../nowhere'],
  ])('hands the text of %s back', (name, text) => {
    using tree = tempTree(['file', 'link => file', 'dangling => ../nowhere']);
    using context = openContext(tree.path);
    expect(pinAt(context, name)).toEqual(new LinkFound(text));
    expect(pinAt(context, name, true)).toEqual(new LinkFound(text));
  });

  test('accepts nothing but a directory for a path that is spelled as one', () => {
    using tree = tempTree(['file', 'd/']);
    using context = openContext(tree.path);
    const directory = pinAt(context, 'd', true);
    expect(directory).not.toBeInstanceOf(LinkFound);
    if (!(directory instanceof LinkFound)) context.driver.close(directory);
    expect(() => pinAt(context, 'file', true)).toThrow('Cannot read "as/asked": it is not a directory');
  });

  test('keeps nothing open that it does not hand out', () => {
    using tree = tempTree(['file', 'link => file']);
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    pinAt(context, 'link');
    expect(() => pinAt(context, 'file', true)).toThrow();
    expect(() => pinAt(context, 'missing')).toThrow();
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('requireRegular', () => {
  function requireAt(context: OpenContext, name: string, changes: Partial<BoundaryContext> = {}): void {
    const held = pinned(context, name);
    context.driver.close(held);
    requireRegular({ ...context, ...changes }, request, held);
  }

  test.each([
    ['d', { code: 'IS_A_DIRECTORY' }],
    ['pipe', { code: 'SPECIAL_FILE', message: 'Cannot read "as/asked": it is a FIFO' }],
  ])('refuses %s', (name, refusal) => {
    using tree = tempTree(['d/', 'pipe|']);
    using context = openContext(tree.path);
    expect(() => requireAt(context, name)).toThrow(expect.objectContaining(refusal));
  });

  test('refuses a file with a second name only where hard links are refused', () => {
    using tree = tempTree(['file', 'single']);
    linkSync(tree.at('file'), tree.at('second'));
    using context = openContext(tree.path);
    requireAt(context, 'file');
    requireAt(context, 'single', { hardLinks: 'refuse' });
    expect(() => requireAt(context, 'file', { hardLinks: 'refuse' })).toThrow(
      expect.objectContaining({ code: 'HARD_LINK' }),
    );
  });
});
