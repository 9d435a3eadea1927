import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { moveMappings } from '../../../scripts/narrow-chunks.ts';
import { call, converse, initialize, messagesIn } from '../../support/processes/converse.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
let tree: TempTree;

/** Beside the sources: it looks for its package and for what is not in it from where it is. */
beforeAll(async () => {
  tree = tempTree(['app/a.txt = inside']);
  await build({
    root: project,
    configFile: fileURLToPath(new URL('../../../bundle.config.ts', import.meta.url)),
    build: { outDir: '.build/bundle/cli' },
    logLevel: 'error',
  });
}, 60_000);

afterAll(() => tree[Symbol.dispose]());

function chunk(name: string): string {
  return fileURLToPath(new URL(`../../../.build/bundle/cli/${name}`, import.meta.url));
}

test('the bundled command knows its version', () => {
  const printed = execFileSync(process.execPath, [chunk('main.js'), '--version'], { encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(`${project}/package.json`, 'utf8')) as { version: string };
  expect(printed.trim()).toBe(version);
});

test('the bundled command serves', async () => {
  const command = {
    command: process.execPath,
    args: [chunk('main.js'), 'serve', tree.at('app')],
    cwd: tree.path,
    env: { ROOTWARD_HOME: tree.at('home') },
    home: tree.at('home'),
    [Symbol.dispose]: () => undefined,
  };
  const { stdout, stderr, code } = await converse(command, [
    initialize,
    call('read_text_file', { path: 'a.txt' }),
    call('search_text', { pattern: 'inside' }),
  ]);
  expect(messagesIn(stdout)).toMatchObject([
    { id: 0 },
    { id: 1, result: { structuredContent: { content: 'inside' } } },
    { id: 2, result: { structuredContent: { matches: 1 } } },
  ]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('its chunks need one byte per character', () => {
  const chunks = readdirSync(chunk('.')).filter((name) => name.endsWith('.js'));
  expect(chunks).toContain('main.js');
  expect(chunks.filter((name) => /[\u0100-\uFFFF]/.test(readFileSync(chunk(name), 'utf8')))).toEqual([]);
});

test('its source maps lead to the sources, also behind what was escaped', () => {
  const payload = JSON.parse(readFileSync(chunk('shared.js.map'), 'utf8')) as SourceMapPayload;
  const map = new SourceMap(payload);
  const behind = readFileSync(chunk('shared.js'), 'utf8')
    .split('\n')
    .flatMap((line, row) =>
      Array.from(line.matchAll(/\\u[0-9a-f]{4}.*?(`[a-z]+ [a-z ]{8,}`)/dg), (match) => ({ row, match })),
    );
  expect(behind.length).toBeGreaterThan(3);
  for (const { row, match } of behind) {
    const [column = 0] = match.indices?.[1] ?? [];
    const { originalSource, originalLine = 0, originalColumn = 0 } = map.findEntry(row, column) as Entry;
    const source = payload.sourcesContent[payload.sources.indexOf(originalSource)] ?? '';
    const there = source.split('\n')[originalLine]?.slice(originalColumn + 1) ?? '';
    expect(there.startsWith(match[1]?.slice(1, -1) ?? '')).toBe(true);
  }
});

interface Entry {
  readonly originalSource: string;
  readonly originalLine?: number;
  readonly originalColumn?: number;
}

test('the licences of what is in it are with it', () => {
  expect(readFileSync(chunk('licenses.md'), 'utf8')).toContain('## @modelcontextprotocol/server');
});

test('mappings move by as much as there is before them', () => {
  // Columns 0, 4 and 24; a wide character at 2 and one at 10.
  expect(moveMappings('AAAA,IACA,oBACA;AAAA', [[2, 10], []])).toBe('AAAA,SACA,yBACA;AAAA');
});
