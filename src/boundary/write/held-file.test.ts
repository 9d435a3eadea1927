import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { openContext } from '../../../test/support/trees/boundary-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { takeHeldFile } from './held-file.ts';

/** A process id that is never used: Linux has at most 4,194,304. */
const nobody = 2 ** 30;

test('names its holder, and removes only its own', async () => {
  using tree = tempTree();
  using context = openContext(tree.path);
  const free = await takeHeldFile(context, 'a.held');
  expect(readFileSync(tree.at('a.held'), 'utf8')).toMatch(
    new RegExp(`^\\S+ ${process.pid} [0-9a-f]{16}\\n$`),
  );
  tree.add('a.held = somebody else 1 x');
  await free?.();
  expect(readdirSync(tree.path)).toEqual(['a.held']);
});

test.each([
  ['of a dead process on this machine', `${hostname()} ${nobody} aa\n`, false],
  ['that was not touched for a minute', `elsewhere 1 aa\n`, true],
])('takes over a lock %s', async (_what, text, old) => {
  using tree = tempTree([`a.held = ${text}`]);
  if (old) utimesSync(tree.at('a.held'), new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
  using context = openContext(tree.path);
  expect(await takeHeldFile(context, 'a.held')).toBeUndefined();
  const free = await takeHeldFile(context, 'a.held');
  expect(free).toBeTypeOf('function');
  await free?.();
  expect(readdirSync(tree.path)).toEqual([]);
});

test.each([
  ['of a living process', `${hostname()} ${process.pid} aa\n`],
  ['of another machine', 'elsewhere 1073741824 aa\n'],
  ['that says nothing', 'x'],
])('leaves a lock alone %s', async (_what, text) => {
  using tree = tempTree([`a.held = ${text}`]);
  using context = openContext(tree.path);
  expect(await takeHeldFile(context, 'a.held')).toBeUndefined();
  expect(await takeHeldFile(context, 'a.held')).toBeUndefined();
  expect(readFileSync(tree.at('a.held'), 'utf8')).toBe(text);
});
