import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { bytesReadBy } from '../../support/processes/bytes-read.ts';
import { childrenOf } from '../../support/processes/children-of.ts';
import { attackScale } from '../../support/race/seed.ts';
import { slowPattern } from '../../support/trees/slow-trees.ts';
import { type Answer, speak, speakHere, type Spoken } from '../../support/processes/speak.ts';

const mebibyte = 1024 * 1024;

/** Nine megabytes in one line, less than a search looks at. */
const secret = `KEY=hunter2${'x'.repeat(9 * mebibyte)}\n`;

interface Looked extends Answer {
  /** Bytes that the server and what it started have read meanwhile. */
  readonly read: number;
}

async function look(server: Spoken, input: Readonly<Record<string, unknown>>): Promise<Looked> {
  const pid = server.wire.pid ?? 0;
  const before = bytesReadBy(pid);
  const answer = await server.call('search_text', input);
  return { ...answer, read: bytesReadBy(pid) - before };
}

/** The most memory that a process has had, in bytes. */
function peakOf(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

describe.runIf(process.platform === 'linux')('a denied file', () => {
  test('is not read by a search, so that no pattern tells what is in it', async () => {
    using tree = tempTree(['app/notes.txt = KEY=none\n', 'app/plain.txt']);
    writeFileSync(tree.at('app/.env'), secret);
    await using server = await speak({ args: [tree.at('app')] });
    await look(server, { pattern: 'KEY' });
    for (const input of [{}, { gitignore: false }, { output: 'counts' }, { path: 'notes.txt' }]) {
      const [right, wrong] = [
        await look(server, { pattern: '^KEY=h.*x', ...input }),
        await look(server, { pattern: '^KEY=q.*x', ...input }),
      ];
      expect(right.text).toBe(wrong.text);
      expect(right.text).toBe('No matches found');
      expect(Math.max(right.read, wrong.read)).toBeLessThan(mebibyte);
    }
    // The same bytes under a name that is allowed are read and found.
    writeFileSync(tree.at('app/plain.txt'), secret);
    const allowed = await look(server, { pattern: '^KEY=h.*x' });
    expect(allowed.text).toContain('plain.txt\n1: KEY=hunter2xxx');
    expect(allowed.read).toBeGreaterThan(9 * mebibyte);
  });

  test('named .gitignore has no rules', async () => {
    using tree = tempTree(['app/.gitignore = a.txt\n', 'app/a.txt = needle\n', 'app/b.txt = needle\n']);
    const ask = async (...more: readonly string[]): Promise<string> => {
      await using server = await speakHere({ args: [tree.at('app'), ...more] });
      return (await server.call('search_text', { pattern: 'needle', output: 'files' })).text;
    };
    expect(await ask()).toBe('b.txt\n\n[1 files]');
    expect(await ask('--deny', '.gitignore')).toBe('a.txt\nb.txt\n\n[2 files]');
  });
});

describe.runIf(process.platform === 'linux')('a .gitignore that is', () => {
  const make: Readonly<Record<string, (tree: TempTree, name: string) => void>> = {
    'a link to rules outside': (tree, name) => symlinkSync('../rules', tree.at(name)),
    'a link to an endless device': (tree, name) => symlinkSync('/dev/zero', tree.at(name)),
    'a link to a large file': (tree, name) => symlinkSync('../large', tree.at(name)),
    'a FIFO': (tree, name) => tree.add(`${name}|`),
  };
  const scene = {} as { tree: TempTree; server: Spoken };

  /** One server, with a root for each of them. */
  beforeAll(async () => {
    scene.tree = tempTree(['rules = *.txt\n']);
    writeFileSync(scene.tree.at('large'), '*.txt\n'.repeat(mebibyte));
    const places = Object.values(make).map((plant, index) => {
      scene.tree.add(`app${index}/a.txt = needle\n`, `app${index}/sub/b.txt = needle\n`);
      plant(scene.tree, `app${index}/.gitignore`);
      return scene.tree.at(`app${index}`);
    });
    scene.server = await speak({ args: places });
  });

  afterAll(async () => {
    await scene.server[Symbol.asyncDispose]();
    scene.tree[Symbol.dispose]();
  });

  test.each(Object.keys(make))('%s is neither followed nor opened', async (kind) => {
    const { tree, server } = scene;
    const place = `app${Object.keys(make).indexOf(kind)}`;
    for (const path of [place, `${place}/sub`].map((name) => tree.at(name))) {
      const { text, read } = await look(server, { pattern: 'needle', path, output: 'files' });
      expect(text).toContain('sub/b.txt');
      expect(read).toBeLessThan(2 * mebibyte);
    }
  });
});

describe.runIf(process.platform === 'linux')('within little memory', () => {
  const texts: Readonly<Record<string, string>> = {
    'one line of eight megabytes': 'x'.repeat(8 * mebibyte),
    'eight million empty lines': '\n'.repeat(8 * mebibyte),
    'two million short lines': 'abc\n'.repeat(2 * mebibyte),
    'wide lines': `${'"\\'.repeat(20_000)}\n`.repeat(200),
  };
  const wishes = [
    { pattern: '.' },
    { pattern: '^' },
    { pattern: '.', output: 'counts' },
    { pattern: '.', context: 20, limit: 2_000, offset: 90_000 },
    { pattern: '.|^', context: 20, limit: 2_000 },
    { pattern: '.)|(.' },
  ];

  /** Every third of the table, so that each text meets two; `npm run attack` tries all. */
  const wishesOn = (kind: string): typeof wishes => {
    const row = Object.keys(texts).indexOf(kind);
    return wishes.filter((_, column) => attackScale > 1 || (row + column) % 3 === 0);
  };

  test.each(Object.keys(texts))(
    '%s are searched, and the server lives on',
    { timeout: 60_000 },
    async (kind) => {
      using tree = tempTree(['app/']);
      writeFileSync(tree.at('app/large.txt'), texts[kind] ?? '');
      await using server = await speak({ args: [tree.at('app')], node: ['--max-old-space-size=128'] });
      for (const wish of wishesOn(kind)) {
        const { text, code } = await server.call('search_text', wish);
        expect([wish, code]).toEqual([wish, wish.pattern === '.)|(.' ? 'INVALID_PATTERN' : undefined]);
        expect(text.length).toBeLessThan(9 * mebibyte);
      }
      expect(peakOf(server.wire.pid)).toBeLessThan(400 * mebibyte);
      expect(
        readFileSync(`${server.home}/log/audit.jsonl`, 'utf8').trim().split('\n').length,
      ).toBeGreaterThan(1);
    },
  );
});

test('at most two ripgreps run at once, however many searches are asked for', async () => {
  using tree = tempTree();
  const line = 'the quick brown fox jumps over the lazy dog again\n';
  for (const name of ['a', 'b']) writeFileSync(tree.at(name), `${line.repeat(25_000)}here is the needle\n`);
  await using server = await speak({ args: [tree.path] });
  const pid = server.wire.pid ?? 0;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, childrenOf(pid).length)), 5);
  const input = { pattern: slowPattern, output: 'files' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => server.call('search_text', input)));
  clearInterval(watch);
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['a\nb\n\n[2 files]']));
  expect([1, 2]).toContain(most);
});
