import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeOf, program } from '../../scripts/covered-server.ts';
import { mostFiles, type WalkName, walks } from '../../scripts/walks.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';

/** On other systems the boundary steps through names in another file. */
describe.runIf(process.platform === 'linux')('reading a file', () => {
  test.each(Object.entries(mostFiles) as [WalkName, number][])(
    'over %s crosses at most %i sources, and the sentence is one of them',
    async (name, most) => {
      const { files } = await walks[name]();
      const names = files.map(({ file }) => file);
      expect(names).toContain('src/access.ts');
      expect(names.slice(most)).toEqual([]);
    },
  );
});

test('a client with initialize is served without loading the SDK', () => {
  using tree = tempTree(['app/a = inside', 'coverage/', 'home/']);
  const params = {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'piped', version: '1' },
    capabilities: {},
  };
  const call = { name: 'read_text_file', arguments: { path: 'a' } };
  const input = [
    { id: 0, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params: call },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const place = placeOf(tree);
  const { stdout } = spawnSync(process.execPath, [program, 'serve', 'app'], {
    ...place,
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(stdout).toContain('"text":"inside"');
  const loaded = packagesIn(tree.at('coverage'));
  expect(loaded).toContain('zod');
  expect(loaded.filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
});

/** The packages of which a process loaded a file, by the reports that V8 wrote at its end. */
function packagesIn(coverage: string): readonly string[] {
  const texts = readdirSync(coverage).map((name) => readFileSync(`${coverage}/${name}`, 'utf8'));
  const names = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/"file:[^"]*\/node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g),
      ([, name]) => name ?? '',
    ),
  );
  return [...new Set(names)];
}
