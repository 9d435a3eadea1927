import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readProjectName } from '../project/read-project-name.ts';
import { zig } from './zig.ts';

test('what every build has, and the steps that it names', async () => {
  const text = [
    'const run_step = b.step("run", "Run the app");',
    'const test_step = b.step( "test", "Run unit tests");',
    'b.step("test", "again");',
    'b.step(name, "computed");',
    'b.step("docs; rm -rf /", "");',
  ].join('\n');
  expect(await findCommands(zig, { 'build.zig': text })).toEqual([
    'build: zig build',
    'format: zig fmt .',
    'run: zig build run',
    'test: zig build test',
    `other: zig build 'docs; rm -rf /'`,
  ]);
  expect(await findCommands(zig, { 'build.zig.zon': '.{}' })).toEqual([]);
});

test.each([
  ['.{\n    .name = "app",\n    .version = "0.1.0",\n}', 'app'],
  ['.{\n    .name = .app,\n}', 'app'],
  ['.{ .name = .@"my-app", .version = "1" }', 'my-app'],
  ['.{\n    // .name = "no",\n    .version = "1",\n}', undefined],
])('%j is called %s', async (text, name) => {
  using tree = tempTree([`build.zig.zon = ${text}`]);
  await using boundary = await openBoundary(tree.path);
  expect((await readProjectName(boundary, 'build.zig.zon')).name).toBe(name);
});
