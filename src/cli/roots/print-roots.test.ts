import { expect, test } from 'vitest';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { printRoots } from './print-roots.ts';

const roots: readonly StoredRoot[] = ['app', 'docs'].map((name) => ({
  uri: `file:///${name}`,
  path: `/${name}`,
  name,
  kind: 'unknown',
  permissions: {},
  servers: {},
  grants: [],
}));

function print(json: boolean): string {
  let text = '';
  const stdout = { write: (part: string) => void (text += part) };
  const context: CliContext = { process: { stdout, stderr: stdout }, cwd: '/' };
  printRoots(context, { verb: 'added', roots, json });
  return text;
}

test('says what was done to each, for a person', () => {
  expect(print(false)).toBe('added  app   read, list  /app\nadded  docs  read, list  /docs\n');
});

test('prints a line each for a program', () => {
  expect(
    print(true)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(roots);
});
