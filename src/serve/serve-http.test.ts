import { expect, test } from 'vitest';
import { runInMemory } from '../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { allTools } from '../tools/all-tools.ts';
import { onlyLooks, watchOffers } from './serve-http.ts';

test.each([
  ['a token file that is not there', ['--http', ':0', '--token-file', 'nothing'], '--token-file', 2],
  ['a token that can be guessed', ['--http', ':0', '--token-file', 'short'], 'fewer than', 3],
  ['an address that is none', ['--http', 'a:b'], '--http', 2],
  ['an address that others reach, without host names', ['--http', '0.0.0.0:0'], 'host names', 3],
])('does not listen with %s', async (_title, argv, named, code) => {
  using tree = tempTree(['short = 123']);
  const result = await runInMemory(tree.path, ['serve', ...argv], { ROOTWARD_HOME: tree.at('home') });
  expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(named) });
  expect(result.stderr).not.toContain('listening');
});

test.each([
  ['read_text_file', true],
  ['search_text', true],
  ['list_roots', true],
  ['why', true],
  ['write_file', false],
  ['remove_file', false],
  ['switch_project', false],
  ['no_such_tool', false],
  [undefined, false],
])('a call of %s only reads: %s', (name, expected) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } } as const;
  expect(onlyLooks({ tools: allTools })(call)).toBe(expected);
});

test('announces a changed list, and checks only if a client listens', async () => {
  const state = { removes: false, wanted: false, looks: 0, changes: 0 };
  const offers = {
    tools: allTools,
    offers: ({ name }: { readonly name: string }) => state.removes || name !== 'remove_file',
  };
  const store = {
    operator: async () => {
      state.looks += 1;
      if (state.looks === 3) state.removes = true;
      return undefined;
    },
  };
  const watch = watchOffers(offers, {
    store,
    wanted: () => state.wanted,
    changed: () => void (state.changes += 1),
    every: 1,
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(state.looks).toBe(0);
  state.wanted = true;
  await expect.poll(() => state.looks).toBeGreaterThan(6);
  expect(state.changes).toBe(1);
  watch[Symbol.dispose]();
});
