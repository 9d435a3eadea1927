import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { bazel, make, task } from './build-tools.ts';

test('targets that a person would call', async () => {
  const text = [
    '.PHONY: all test',
    'CC := gcc',
    'FLAGS ::= -O',
    'all: main.o lib/x.o',
    'test unit-test: all ; ./run',
    '\techo: no',
    '%.o: %.c',
    'main.o: main.c',
    '$(OUT): x',
    'deploy::',
    '# lint: no',
    'x = a: b',
  ].join('\n');
  expect(await findCommands(make, { Makefile: text })).toEqual([
    'build: make all',
    'test: make test',
    'test: make unit-test',
    'other: make deploy',
  ]);
  expect(await findCommands(make, {})).toEqual([]);
});

test('Bazel builds all targets', async () => {
  expect(await findCommands(bazel, { 'MODULE.bazel': '' })).toEqual([
    'build: bazel build //...',
    'test: bazel test //...',
    'clean: bazel clean',
  ]);
});

test('stays fast on hostile input', async () => {
  const started = performance.now();
  await findCommands(make, { Makefile: `${'a '.repeat(200_000)}\n`.repeat(2) });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('the tasks that a person can call', async () => {
  const text = [
    "version: '3'",
    'tasks:',
    '  build: go build ./...',
    '  test:unit: { desc: Runs the quick ones, cmds: [go test ./...] }',
    '  default: { deps: [build] }',
    '  prepare: { internal: true }',
    "  'deploy:*': { cmds: [x] }",
    "  'a; rm -rf /': x",
  ].join('\n');
  expect(await findCommands(task, { 'Taskfile.yml': text })).toEqual([
    'build: task build',
    'test: task test:unit',
    'other: task default',
    `other: task 'a; rm -rf /'`,
  ]);
});

test.each(['', 'tasks: []', 'tasks: x', '[', 'tasks: { a: { internal: true } }'])(
  '%j has no tasks',
  async (text) => {
    expect(await findCommands(task, { 'taskfile.yaml': text })).toEqual([]);
  },
);
