import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../src/testing/index.ts';
import { moveMappings } from '../scripts/narrow-chunks.ts';
import { call, converse, initialize, messagesIn } from './serve/converse.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
let tree: TempTree;

/** Beside the sources: it looks for its package and for what is not in it from where it is. */
beforeAll(async () => {
  tree = tempTree(['app/a.txt = inside']);
  await build({
    root: project,
    configFile: fileURLToPath(new URL('../bundle.config.ts', import.meta.url)),
    build: { outDir: '.build/bundle/cli' },
    logLevel: 'error',
  });
}, 60_000);

afterAll(() => tree[Symbol.dispose]());

function chunk(name: string): string {
  return fileURLToPath(new URL(`../.build/bundle/cli/${name}`, import.meta.url));
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
  const lines = readFileSync(chunk('run-serve.js'), 'utf8').split('\n');
  const row = lines.findIndex((line) => line.includes('A line is no message'));
  const column = lines[row]?.indexOf('A line is no message') ?? 0;
  expect(lines[row]?.slice(0, column)).toMatch(/\\u[0-9a-f]{4}/);
  const map = new SourceMap(JSON.parse(readFileSync(chunk('run-serve.js.map'), 'utf8')) as SourceMapPayload);
  expect(map.findEntry(row, column - 1)).toMatchObject({
    originalSource: expect.stringMatching(/line-transport\.ts$/),
  });
});

test('the licences of what is in it are with it', () => {
  expect(readFileSync(chunk('licenses.md'), 'utf8')).toContain('## @modelcontextprotocol/server');
});

test('mappings move by as much as there is before them', () => {
  // Columns 0, 4 and 24; a wide character at 2 and one at 10.
  expect(moveMappings('AAAA,IACA,oBACA;AAAA', [[2, 10], []])).toBe('AAAA,SACA,yBACA;AAAA');
});
