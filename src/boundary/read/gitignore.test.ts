import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { Guard } from '../step/context.ts';
import { attackScale } from '../../../test/support/race/seed.ts';
import {
  compileRules,
  type IgnoreRules,
  isIgnored,
  mayPass,
  mayRead,
  readIgnoreRules,
  stackRules,
} from './gitignore.ts';

/** The rules of one `.gitignore` at the root. */
function rulesOf(content: string): IgnoreRules {
  using tree = tempTree();
  writeFileSync(tree.at('.gitignore'), content);
  using context = openContext(tree.path);
  const rules = readIgnoreRules(context, context.top, '');
  if (rules === undefined) throw new Error('there are no rules');
  return rules;
}

describe('one file', () => {
  test.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/down/a.log', true],
    ['*.log', 'a.txt', false],
    ['/dist', 'dist', true],
    ['/dist', 'a/dist', false],
    ['build/', 'build/', true],
    ['build/', 'a/build/', true],
    ['build/', 'build', false],
    ['a/**/z', 'a/b/c/z', true],
    ['# comment', '# comment', false],
    ['\\#hash', '#hash', true],
    ['*.log\n!keep.log', 'keep.log', false],
    ['*.log\n!keep.log', 'other.log', true],
    ['!keep.log\n*.log', 'keep.log', true],
    ['*.log\r\n!keep.log\r\n', 'keep.log', false],
    ['', 'a', false],
    ['Build', 'Build', true],
    ['build', 'Build', false],
  ])('%j ignores %s: %s', (content, path, ignored) => {
    const isDirectory = path.endsWith('/');
    expect(isIgnored([rulesOf(content)], path.replace(/\/$/, ''), isDirectory)).toBe(ignored);
  });
});

describe('nested files', () => {
  const outer = rulesOf('*.log\n/secret\n');
  const inner = (content: string) => ({ ...rulesOf(content), base: 'a/'.length });

  test('the innermost matching file decides', () => {
    expect(isIgnored([outer, inner('!keep.log')], 'a/keep.log', false)).toBe(false);
    expect(isIgnored([outer, inner('!keep.log')], 'a/other.log', false)).toBe(true);
    expect(isIgnored([outer, inner('*.txt')], 'a/x.txt', false)).toBe(true);
    expect(isIgnored([outer, inner('*.txt')], 'a/x.log', false)).toBe(true);
    expect(isIgnored([outer, inner('*.txt')], 'a/x.md', false)).toBe(false);
  });

  test('an anchor is the directory of its own file', () => {
    expect(isIgnored([outer, inner('/dist')], 'a/dist', false)).toBe(true);
    expect(isIgnored([outer, inner('/dist')], 'a/b/dist', false)).toBe(false);
    expect(isIgnored([outer, inner('/dist')], 'a/secret', false)).toBe(false);
  });
});

describe('there are no rules', () => {
  test.each([
    ['without a file', () => {}],
    ['in a directory of that name', (path: string) => mkdirSync(path)],
    ['behind a link, as in Git', (path: string) => symlinkSync('rules', path)],
  ])('%s', (_what, make) => {
    using tree = tempTree(['rules = *.log']);
    make(tree.at('.gitignore'));
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    expect(readIgnoreRules(context, context.top, '')).toBeUndefined();
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('in a file that may not be read, by its own name or by that of a directory above', () => {
    using tree = tempTree(['src/.gitignore = *.log']);
    for (const denied of ['src/.gitignore', 'src']) {
      const guard: Guard = (_operation, relative) => (relative === denied ? new Error('no') : undefined);
      using context = openContext(tree.at('src'), { guard });
      expect(readIgnoreRules(context, context.top, 'src/')).toBeUndefined();
    }
    using free = openContext(tree.at('src'));
    expect(readIgnoreRules(free, free.top, 'src/')).toBeDefined();
  });

  test('in a file with another name, where such are refused', () => {
    using tree = tempTree(['.gitignore = *.log']);
    linkSync(tree.at('.gitignore'), tree.at('other'));
    using context = openContext(tree.path, { hardLinks: 'refuse' });
    expect(readIgnoreRules(context, context.top, '')).toBeUndefined();
    using free = openContext(tree.path);
    expect(readIgnoreRules(free, free.top, '')).toBeDefined();
  });

  test('in a FIFO, which does not block', () => {
    using tree = tempTree(['.gitignore|']);
    using context = openContext(tree.path);
    expect(readIgnoreRules(context, context.top, '')).toBeUndefined();
  });
});

describe('a hostile repository', () => {
  /** Generous: without limits these take minutes. */
  const budget = 10_000;

  function timed(content: string, path: string): number {
    const rules = rulesOf(content);
    const start = performance.now();
    isIgnored([rules], path, false);
    return performance.now() - start;
  }

  test.each([
    ['a rule that is very long', `${'*a'.repeat(5_000)}b`, 'a'.repeat(255)],
    ['many stars in one rule', `${'*a'.repeat(120)}b`, 'a'.repeat(255)],
    ['many classes in one rule', `${'*[ab]'.repeat(50)}c`, 'a'.repeat(255)],
    ['many questions in one rule', `${'*?'.repeat(120)}c`, 'a'.repeat(255)],
    ['many globstars in one rule', `${'**/a/'.repeat(40)}b`, `${'a/'.repeat(120)}c`],
    ['many rules', '*a*a*b\n'.repeat(5_000), 'a'.repeat(255)],
    ['many rules with globstars', '**/a/**/a/**/a/b\n'.repeat(2_000), `${'a/'.repeat(120)}c`],
    ['many rules with two globstars', 'a/**/a/**/b\n'.repeat(5_000), `${'a/'.repeat(120)}c`],
    ['many rules with one globstar', '**/a/b\n'.repeat(9_000), `${'a/'.repeat(120)}c`],
  ])('with %s does not block the process', (_what, content, path) => {
    expect(timed(content, path)).toBeLessThan(budget);
  });

  test.each(['[', '\\', '[z-a]', '[[:x:]]', '(', '**', '!', '/', '[!]', 'a\\', '{1', '+(', '[]', '\u2028'])(
    'with the rule %j breaks nothing',
    (rule) => {
      const rules = [rulesOf(`${rule}\n*.log`)];
      expect(() => isIgnored(rules, 'a/b.txt', false)).not.toThrow();
      expect(isIgnored(rules, 'x.log', false)).toBe(true);
    },
  );

  test('loses expensive rules, and keeps the others', () => {
    const rules = [rulesOf(`${'*a'.repeat(5_000)}b\n${'**/a/'.repeat(40)}b\n*.log`)];
    expect(isIgnored(rules, 'x.log', false)).toBe(true);
    expect(isIgnored(rules, `${'a'.repeat(5_000)}b`, false)).toBe(false);
  });

  test('has only the start of a large file read, without the line that is cut', () => {
    const start = `first\n${'# comment\n'.repeat(52_428)}`;
    const cut = `${start}${'x'.repeat(512 * 1024 - start.length - 1)}yz\nlast\n`;
    const rules = [rulesOf(cut)];
    expect(isIgnored(rules, 'first', false)).toBe(true);
    expect(isIgnored(rules, 'last', false)).toBe(false);
    expect(rules[0]?.count).toBe(1);
  });

  test('has 10,000 rules for names, and 1,000 with several wildcards', () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `name-${index}`);
    const stars = Array.from({ length: 1_200 }, (_, index) => `*a*-${index}`);
    const [named] = [rulesOf(names.join('\n'))];
    expect([named.count, named.decide('name-9999'), named.decide('name-10000')]).toEqual([
      10_000,
      true,
      undefined,
    ]);
    const starred = rulesOf(stars.join('\n'));
    expect([starred.count, starred.decide('a-999'), starred.decide('a-1000')]).toEqual([
      1_000,
      true,
      undefined,
    ]);
  });
});

test('an outer file does not ignore again what is below a directory that an inner one took back', () => {
  const outer = rulesOf('dist\n*.o');
  const inner = { ...rulesOf('!dist'), base: 'a/'.length };
  expect(isIgnored([outer, inner], 'a/dist', true)).toBe(false);
  expect(isIgnored([outer, inner], 'a/dist/x.c', false)).toBe(false);
  expect(isIgnored([outer, inner], 'a/dist/x.o', false)).toBe(true);
});

test('the number of rules in nested directories is limited', () => {
  const rules = (count: number, costly = 0): IgnoreRules => ({ base: 0, decide: () => true, count, costly });
  const [outer, inner] = [rules(4_000), rules(4_000)];
  expect(stackRules([outer], inner)).toEqual([outer, inner]);
  expect(stackRules([outer, inner], rules(4_000))).toEqual([outer, inner]);
  expect(stackRules([outer], undefined)).toEqual([outer]);
  const costly = [rules(900, 900)];
  expect(stackRules(costly, rules(1_200, 1_200))).toBe(costly);
});

describe('a rule finds a name by its last part', () => {
  test.each([
    ['dist', 'dist'],
    ['/dist/', 'dist/'],
    ['a/keep.log', 'a/keep.log'],
    ['dist  ', 'dist'],
    ['*.log', 'a.log'],
    ['*.py[cod]', 'a.pyc'],
    ['[Bb]in', 'bin'],
    ['npm-debug.log*', 'npm-debug.log.1'],
    ['a/**', 'a/anything'],
    ['a/**/', 'a/anything/'],
    ['*', 'anything'],
    ['\\#hash', '#hash'],
    ['trailing\\ ', 'trailing '],
    ['?', 'a'],
  ])('%j: %s', (rule, path) => {
    expect(compileRules([rule], false)(path)).toBe(true);
    expect(compileRules([rule, `!${rule}`], false)(path)).toBe(false);
    expect(compileRules([`!${rule}`, rule], false)(path)).toBe(true);
  });

  test('whatever its case, where case does not count', () => {
    expect(compileRules(['Build', '*.LOG'], true)('bUILD')).toBe(true);
    expect(compileRules(['Build', '*.LOG'], true)('x.log')).toBe(true);
    expect(compileRules(['Build'], false)('build')).toBeUndefined();
  });

  test.each([
    ['dist', 'distant'],
    ['a/b', 'a'],
    ['*.log', 'log'],
    ['[Bb]in', 'obj'],
    // Git counts bytes.
    ['?', 'ä'],
  ])('%j, and not %s', (rule, path) => {
    expect(compileRules([rule], false)(path)).toBeUndefined();
  });
});

test('rules decide as the package does where no directory above is ignored', () => {
  const rule = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '?', '[', ']', '!', '\\', '/', ' ', '-', '^'),
    minLength: 1,
    maxLength: 8,
  });
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '.', '-', '[', ']', '!', ' ', '#'),
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.array(rule),
      fc.array(name, { maxLength: 2 }),
      name,
      fc.boolean(),
      (written, above, last, folds) => {
        const lines = written.filter((line) => !/^!? *$/.test(line));
        const rules = ignore({ ignorecase: folds, allowRelativePaths: true }).add(lines);
        const isNew = above.every(
          (_, depth) => !rules.test(`${above.slice(0, depth + 1).join('/')}/`).ignored,
        );
        const names = [...above, last];
        fc.pre(isNew && names.every((each) => !/^\.{1,2}$/.test(each)));
        const decide = compileRules(lines, folds);
        for (const end of ['', '/']) {
          const { ignored, unignored } = rules.test(names.join('/') + end);
          expect(decide(names.join('/') + end)).toBe(ignored ? true : unignored ? false : undefined);
        }
      },
    ),
    { numRuns: 1_000 * attackScale },
  );
});

function denying(...denied: readonly string[]): { readonly guard: Guard; readonly asked: string[] } {
  const asked: string[] = [];
  const guard: Guard = (operation, relative, last) => {
    asked.push(`${operation} ${relative}${last ? '' : '/'}`);
    return denied.includes(relative) ? new Error('no') : undefined;
  };
  return { guard, asked };
}

test('mayRead checks every name on the way', () => {
  const { guard, asked } = denying();
  expect(mayRead(guard, 'a/b/c.txt')).toBe(true);
  expect(asked).toEqual(['read a/', 'read a/b/', 'read a/b/c.txt']);
});

test('one refusal is enough', () => {
  expect(mayRead(denying('a').guard, 'a/b/c.txt')).toBe(false);
  expect(mayRead(denying('a/b/c.txt').guard, 'a/b/c.txt')).toBe(false);
  expect(mayPass(denying('a/b/c.txt').guard, 'a/b/c.txt')).toBe(true);
  expect(mayPass(denying('a/b').guard, 'a/b/')).toBe(false);
});

test('without a guard everything may be read', () => {
  expect(mayRead(undefined, 'a/b')).toBe(true);
  expect(mayPass(undefined, 'a/b')).toBe(true);
});
