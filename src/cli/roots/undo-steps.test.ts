import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { keepUndoStep, loadUndoSteps, saveUndoSteps } from './undo-steps.ts';

async function store(file: string, ...paths: readonly string[]): Promise<void> {
  await using opened = await openRootStore({ file, follow: false });
  for (const path of paths) await opened.add({ path, mustExist: false });
}

describe('what a command did', () => {
  test('is kept from both sides, the latest last', async () => {
    using tree = tempTree();
    const file = tree.at('roots.jsonc');
    await store(file, '/a');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    const [{ after: before } = { after: '' }] = await loadUndoSteps(file);
    await store(file, '/b', '/c');
    await keepUndoStep(file, { before, changes: 2 });
    const steps = await loadUndoSteps(file);
    expect(steps).toHaveLength(2);
    expect(steps[0]).not.toHaveProperty('before');
    expect(steps[1]?.before).toBe(steps[0]?.after);
  });

  test('is not kept where somebody else changed something meanwhile, and neither is what was before', async () => {
    using tree = tempTree();
    const file = tree.at('roots.jsonc');
    await store(file, '/a');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    await store(file, '/b', '/c');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    expect(await loadUndoSteps(file)).toEqual([]);
  });
});

test.each(['', '{', '{}', 'null', '[1,{"after":1},{"before":1,"after":""}]'])(
  'what cannot be read is nothing: %j',
  async (text) => {
    using tree = tempTree();
    writeFileSync(tree.at('roots.jsonc.undo'), text);
    expect(await loadUndoSteps(tree.at('roots.jsonc'))).toEqual([]);
  },
);

test('no more is kept than anybody needs', async () => {
  using tree = tempTree();
  const file = tree.at('roots.jsonc');
  await saveUndoSteps(
    file,
    Array.from({ length: 30 }, (_, index) => ({ after: String(index) })),
  );
  const kept = await loadUndoSteps(file);
  expect([kept.length, kept.at(0)?.after, kept.at(-1)?.after]).toEqual([20, '10', '29']);
  const large = 'x'.repeat(1_500_000);
  await saveUndoSteps(file, [{ after: large }, { after: large }, { after: large }]);
  expect(await loadUndoSteps(file)).toHaveLength(2);
});
