import { existsSync, lstatSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { relative as relativePath } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { RootwardError } from '../../errors.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import { isErrno } from '../system/errno.ts';
import type { BoundaryContext, Guard, BoundaryRequest } from './context.ts';
import { type LastStep, LinkFound, readLink, resolve } from './resolve.ts';

function ask(path: string, more: Partial<BoundaryRequest> = {}): BoundaryRequest {
  return { operation: 'read', verb: 'read', path, ...more };
}

/** Where a path leads if links are followed to the end; what is missing is fine as the last name. */
function land(context: BoundaryContext, path: string, more: Partial<BoundaryRequest> = {}): LastStep {
  return resolve(context, ask(path, more), (step): LastStep | LinkFound => {
    try {
      return readLink(context.driver, step.parent, step.name) ?? step;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return step;
      throw error;
    }
  });
}

function refused(code: string) {
  return expect.objectContaining({ code });
}

const links = [
  'a/b/c.txt',
  'a/d/',
  'to-b => a/b',
  'to-b-slash => a/b/',
  'to-file => a/b/c.txt',
  'a/up => ..',
  'a/self => .',
  'a/b/top => ../..',
  'a/b/chain => ../../to-b',
  'a/winding => ../a/./b/../d',
];

describe.each(drivers)('with the %s driver', (_name, driver) => {
  describe('a path leads to', () => {
    test.each([
      ['a/b/c.txt', 'a/b/c.txt'],
      ['./a//b/./c.txt', 'a/b/c.txt'],
      ['to-b/c.txt', 'a/b/c.txt'],
      ['to-file', 'a/b/c.txt'],
      ['a/b/chain/chain/c.txt', 'a/b/c.txt'],
      ['a/winding', 'a/d'],
      ['a/new', 'a/new'],
      ['.', ''],
      ['a/..', ''],
      ['a/up', ''],
      ['a/b/top', ''],
      ['a/b/top/to-b', 'a/b'],
      ['a/up/a/up/a', 'a'],
      ['a/b/..', 'a'],
      ['a/self/self/b', 'a/b'],
    ])('%s → %j', (path, relative) => {
      using tree = tempTree(links);
      using context = openContext(tree.path, { driver });
      expect(land(context, path).relative).toBe(relative);
    });
  });

  test.each([
    ['to-b/..', 'a'],
    ['to-b/../d', 'a/d'],
    ['to-b/../up/a', 'a'],
    ['to-b-slash/../d', 'a/d'],
  ])('".." comes after links: %s → %s', (path, relative) => {
    using tree = tempTree(links);
    using context = openContext(tree.path, { driver });
    expect(land(context, path).relative).toBe(relative);
  });

  // Regression: nothing was left to step through, and that was taken for the root.
  test.each([
    ['a/self', 'a'],
    ['a/self/', 'a'],
    ['a/self/.', 'a'],
    ['a/self/self/', 'a'],
    ['a/self/..', ''],
  ])('a link to "." is its own directory: %s → %j', (path, relative) => {
    using tree = tempTree(links);
    using context = openContext(tree.path, { driver });
    expect(land(context, path)).toMatchObject({ relative, directory: true });
  });

  test('agrees with the system unless it refuses', () => {
    using tree = tempTree(links);
    using context = openContext(tree.path, { driver });
    const name = fc.constantFrom(
      'a',
      'b',
      'c.txt',
      'd',
      'to-b',
      'to-b-slash',
      'to-file',
      'up',
      'self',
      'top',
      'chain',
      '..',
      '.',
      '',
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 7 }), (names) => {
        const path = names.join('/') || '.';
        if (path.startsWith('/')) return;
        const step = tryLand(context, path);
        const real = tryRealPath(`${tree.path}/${path}`);
        if (step === undefined || real === undefined) return;
        expect([path, step.relative]).toEqual([path, relativePath(tree.path, real)]);
      }),
      { numRuns: 400 },
    );
  });

  describe('refuses', () => {
    test.each([
      ['..'],
      ['../secret'],
      ['a/../../secret'],
      ['/etc/passwd'],
      ['out'],
      ['out/x'],
      ['absolute'],
      ['home-and-back'],
      ['a/up-up'],
    ])('%s, which leaves the root', (path) => {
      using tree = tempTree([
        'secret/x',
        'ROOT/a/up-up => ../../secret',
        'ROOT/out => ../secret',
        'ROOT/absolute => $TREE/ROOT/a',
        'ROOT/home-and-back => ../ROOT/a',
      ]);
      using context = openContext(tree.at('ROOT'), { driver });
      expect(() => land(context, path)).toThrow(refused('OUTSIDE_ROOTS'));
    });

    test.each([
      ['file/x', 'NOT_A_DIRECTORY'],
      ['pipe/x', 'NOT_A_DIRECTORY'],
      ['missing/x', 'NOT_FOUND'],
      ['dangling/x', 'NOT_FOUND'],
      ['loop', 'TOO_MANY_LINKS'],
      ['loop/x', 'TOO_MANY_LINKS'],
      ['', 'INVALID_PATH'],
      ['a\0b', 'INVALID_PATH'],
    ])('%j with %s', (path, code) => {
      using tree = tempTree(['file', 'pipe|', 'dangling => missing', 'loop => loop']);
      using context = openContext(tree.path, { driver });
      expect(() => land(context, path)).toThrow(refused(code));
    });

    test('a link whose text is not UTF-8', () => {
      using tree = tempTree();
      symlinkSync(Buffer.from([0x61, 0xff]), tree.at('odd'));
      using context = openContext(tree.path, { driver });
      expect(() => land(context, 'odd')).toThrow(refused('OUTSIDE_ROOTS'));
    });
  });

  test('keeps no directory open, whether it arrives or not', () => {
    using tree = tempTree([...links, 'loop => a/b/../../loop']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    for (const path of ['to-b/c.txt', 'a/b/chain/../d']) land(context, path);
    for (const path of ['a/b/missing/x', 'a/b/c.txt/x', 'a/b/../../..', 'loop']) {
      expect(() => land(context, path)).toThrow();
    }
    expect(() => resolve(context, ask('a/b/c.txt'), () => expect.unreachable())).toThrow();
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('the last step', () => {
  test.each([
    ['a/b', false],
    ['a/b/', true],
    ['a/b/.', true],
    ['a/d/../b', false],
    ['a/b/..', true],
    ['to-b', false],
    ['to-b-slash', true],
    ['to-b/', true],
    ['a/up', true],
  ])('%s is spelled as a directory: %s', (path, directory) => {
    using tree = tempTree(links);
    using context = openContext(tree.path);
    expect(land(context, path).directory).toBe(directory);
  });

  test('is not asked to follow a link from the root itself', () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    expect(() => resolve(context, ask('.'), () => new LinkFound('x'))).toThrow(refused('OUTSIDE_ROOTS'));
  });

  test('has its errors translated for the request', () => {
    using tree = tempTree(['a/']);
    using context = openContext(tree.path);
    const request = ask('./a/x', { verb: 'look at' });
    expect(() =>
      resolve(context, request, ({ parent }) => lstatSync(context.driver.at(parent, 'x'))),
    ).toThrow('Cannot look at "./a/x": it does not exist');
  });
});

describe('limits', () => {
  function chain(length: number): readonly string[] {
    const rest = Array.from({ length: length - 1 }, (_, index) => `l${index + 1} => l${index}`);
    return ['file', 'l0 => file', ...rest];
  }

  test('40 links are followed', () => {
    using tree = tempTree(chain(40));
    using context = openContext(tree.path);
    expect(land(context, 'l39').relative).toBe('file');
  });

  test('41 are not, in one chain or spread over the path', () => {
    using tree = tempTree([...chain(41), 'self => .']);
    using context = openContext(tree.path);
    expect(() => land(context, 'l40')).toThrow(refused('TOO_MANY_LINKS'));
    expect(land(context, `${'self/'.repeat(40)}file`).relative).toBe('file');
    expect(() => land(context, `${'self/'.repeat(41)}file`)).toThrow(refused('TOO_MANY_LINKS'));
  });

  test('a path that takes too many steps is too long', () => {
    const deep = 'd/'.repeat(100);
    using tree = tempTree([`${deep}x/`]);
    using context = openContext(tree.path);
    expect(land(context, `${deep}${'x/../'.repeat(10)}x`).relative).toBe(`${deep}x`);
    expect(() => land(context, `${deep}${'x/../'.repeat(400)}x`)).toThrow(refused('NAME_TOO_LONG'));
  });
});

describe('the guard', () => {
  function recorded() {
    const visits: string[] = [];
    const guard: Guard = (operation, relative, last) =>
      void visits.push(`${operation} ${relative}${last ? ' last' : ''}`);
    return { guard, visits };
  }

  test.each([
    ['a/b/c.txt', ['read a', 'read a/b', 'read a/b/c.txt last']],
    ['to-b/c.txt', ['read to-b', 'read a', 'read a/b', 'read a/b/c.txt last']],
    ['to-file', ['read to-file last', 'read a', 'read a/b', 'read a/b/c.txt last']],
    ['a/b/../d', ['read a', 'read a/b', 'read a', 'read a/d last']],
    ['a/self', ['read a', 'read a/self last', 'read a last']],
    ['a/new', ['read a', 'read a/new last']],
    ['.', []],
    ['a/up', ['read a', 'read a/up last']],
  ])('is asked for every name on the way of %s, links included', (path, expected) => {
    using tree = tempTree(links);
    const { guard, visits } = recorded();
    using context = openContext(tree.path, { guard });
    land(context, path);
    expect(visits).toEqual(expected);
  });

  test('is told the operation', () => {
    using tree = tempTree(['a']);
    const { guard, visits } = recorded();
    using context = openContext(tree.path, { guard });
    land(context, 'a', { operation: 'remove' });
    expect(visits).toEqual(['remove a last']);
  });

  const no = new Error('no');

  test.each([
    ['a name', 'a/b/c.txt', 'a/b/c.txt'],
    ['a directory on the way', 'a/b/c.txt', 'a'],
    ['a link', 'to-b/c.txt', 'to-b'],
    ['what a link leads to', 'to-file', 'a/b'],
    ['a name that does not exist', 'missing/x', 'missing'],
    ['a file on the way', 'a/b/c.txt/x', 'a/b/c.txt'],
  ])('refuses %s before it is touched', (_what, path, denied) => {
    using tree = tempTree(links);
    using context = openContext(tree.path, {
      guard: (_operation, relative) => (relative === denied ? no : undefined),
    });
    expect(() => land(context, path)).toThrow(no);
  });

  test('keeps a directory from being made', () => {
    using tree = tempTree();
    using context = openContext(tree.path, {
      guard: (_operation, relative) => (relative === 'new/denied' ? no : undefined),
    });
    expect(() => land(context, 'new/denied/x', { makeMissing: true })).toThrow(no);
    expect(existsSync(tree.at('new', 'denied'))).toBe(false);
  });
});

describe('missing directories', () => {
  test('are made on the way, but not the last name', () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    expect(land(context, 'x/y/z', { makeMissing: true }).relative).toBe('x/y/z');
    expect(listTree(tree.path)).toEqual(['x/', 'x/y/']);
  });

  test('are made where a link leads', () => {
    using tree = tempTree(['a/', 'link => a/new']);
    using context = openContext(tree.path);
    expect(land(context, 'link/z', { makeMissing: true }).relative).toBe('a/new/z');
  });

  test('are not made by default, nor outside the root', () => {
    using tree = tempTree(['ROOT/out => ../new']);
    using context = openContext(tree.at('ROOT'));
    expect(() => land(context, 'x/y')).toThrow(refused('NOT_FOUND'));
    expect(() => land(context, 'out/y', { makeMissing: true })).toThrow(refused('OUTSIDE_ROOTS'));
    expect(readdirSync(tree.path)).toEqual(['ROOT']);
  });

  test('are not made in place of a file', () => {
    using tree = tempTree(['file']);
    using context = openContext(tree.path);
    expect(() => land(context, 'file/x', { makeMissing: true })).toThrow(refused('NOT_A_DIRECTORY'));
  });
});

describe('absolute links that may be read from the root', () => {
  const entries = [
    'ROOT/a/b/c.txt',
    'ROOT/inside => $TREE/ROOT/a/b',
    'ROOT/a/b/to-root => $TREE/ROOT',
    'ROOT/climbing => $TREE/ROOT/a/../..',
    'ROOT/beside => $TREE/ROOT-2/x',
    'ROOT/above => $TREE',
    'ROOT-2/x',
  ];

  test.each([
    ['inside/c.txt', 'a/b/c.txt'],
    ['a/b/to-root', ''],
    ['a/b/to-root/a', 'a'],
    ['a/b/to-root/inside', 'a/b'],
  ])('%s → %j', (path, relative) => {
    using tree = tempTree(entries);
    using context = openContext(tree.at('ROOT'), { reroot: true });
    expect(land(context, path).relative).toBe(relative);
  });

  test.each(['climbing', 'beside', 'above'])('%s still leaves the root', (path) => {
    using tree = tempTree(entries);
    using context = openContext(tree.at('ROOT'), { reroot: true });
    expect(() => land(context, path)).toThrow(refused('OUTSIDE_ROOTS'));
  });
});

describe('where the root is one file', () => {
  test.each(['.', './', 'only', './only', 'only/'])('%s names it', (path) => {
    using tree = tempTree(['only', 'other']);
    using context = openContext(tree.path, { only: 'only' });
    expect(land(context, path).relative).toBe('only');
  });

  test.each(['other', '..', 'only/..', 'only/../other', 'd/../only', 'Only'])('%s is outside', (path) => {
    using tree = tempTree(['only', 'other', 'd/']);
    using context = openContext(tree.path, { only: 'only' });
    expect(() => land(context, path)).toThrow(refused('OUTSIDE_ROOTS'));
  });

  test('a link that took its place is not followed', () => {
    using tree = tempTree(['only => other', 'other']);
    using context = openContext(tree.path, { only: 'only' });
    expect(() => land(context, 'only')).toThrow(refused('OUTSIDE_ROOTS'));
  });
});

describe('with the rules of Windows', () => {
  test('a backslash separates, in a path and in a link', () => {
    using tree = tempTree(['a/b/c.txt', 'link => a\\b']);
    using context = openContext(tree.path, { platform: 'win32' });
    expect(land(context, 'a\\b\\c.txt').relative).toBe('a/b/c.txt');
    expect(land(context, 'link\\c.txt').relative).toBe('a/b/c.txt');
  });

  test.each([
    ['C:\\x', 'OUTSIDE_ROOTS'],
    ['\\\\server\\share\\x', 'OUTSIDE_ROOTS'],
    ['a\\..\\..', 'OUTSIDE_ROOTS'],
    ['link', 'OUTSIDE_ROOTS'],
    ['C:x', 'INVALID_PATH'],
    ['con', 'INVALID_PATH'],
    ['a\\b.txt:stream', 'INVALID_PATH'],
  ])('%s is refused with %s', (path, code) => {
    using tree = tempTree(['a/', 'link => C:\\Windows']);
    using context = openContext(tree.path, { platform: 'win32' });
    expect(() => land(context, path)).toThrow(refused(code));
  });
});

test('readLink returns the text of a link, and undefined otherwise', () => {
  using tree = tempTree(['link => a/../b', 'file', 'd/']);
  using context = openContext(tree.path);
  expect(readLink(context.driver, context.top, 'link')).toEqual(new LinkFound('a/../b'));
  expect(readLink(context.driver, context.top, 'file')).toBeUndefined();
  expect(readLink(context.driver, context.top, 'd')).toBeUndefined();
  expect(() => readLink(context.driver, context.top, 'missing')).toThrow(refused('ENOENT'));
});

/** Where a path leads; `undefined` where it is refused. */
function tryLand(context: BoundaryContext, path: string): LastStep | undefined {
  try {
    return land(context, path);
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

test('makes no directories on a path that leads out', async () => {
  using tree = tempTree(['ROOT/']);
  await using boundary = await openBoundary(tree.at('ROOT'));
  const write = boundary.write('n1/n2/../../../x', 'y', { parents: true });
  await expect(write).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  expect((await boundary.list('.')).entries).toEqual([]);
});
