import { expect, test } from 'vitest';
import { findCommands } from '../../../test/find-commands.ts';
import { go } from './go.ts';

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
