import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { go, readGoMembers } from './go.ts';

test('a module, with a linter and a program', async () => {
  expect(await findCommands(go, { 'go.mod': 'module x\n' })).toEqual([
    'build: go build ./...',
    'test: go test ./...',
    'lint: go vet ./...',
    'format: gofmt -l -w .',
  ]);
  const more = await findCommands(go, { 'go.mod': '', '.golangci.yml': '', 'main.go': '' });
  expect(more.slice(-2)).toEqual(['lint: golangci-lint run', 'run: go run .']);
  expect(await findCommands(go, {})).toEqual([]);
});

test.each([
  ['go 1.22\n\nuse ./api\nuse ./web // the page\n', ['./api', './web']],
  ['use (\n\t./api\n\t./web // the page\n\t// ./old\n\n)\nuse ./more', ['./api', './web', './more']],
  ['use(\r\n./api\r\n)\r\n', ['./api']],
  ['use "./with space"\nuse `./raw path`\n', ['./with space', './raw path']],
  ['replace (\n\t./not => ./this\n)\nuse .', ['.']],
  ['use (\n./never-closed', ['./never-closed']],
  ['use', []],
  ['reuse ./a', []],
  ['', []],
  ['"`"`(', []],
])('%j uses %j', (text, expected) => {
  expect(readGoMembers(text).map(({ pattern }) => pattern)).toEqual(expected);
});

test('a hostile file does not hold the process', () => {
  const start = process.cpuUsage();
  readGoMembers('"'.repeat(500_001));
  readGoMembers('`"'.repeat(250_000));
  readGoMembers('use (\n'.repeat(150_000));
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});
