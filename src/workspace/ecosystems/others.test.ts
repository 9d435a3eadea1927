import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { dotnet, make, readEditorMembers } from './others.ts';

test('a solution, a library, programs', async () => {
  expect(await findCommands(dotnet, { 'App.sln': '' })).toEqual([
    'install: dotnet restore',
    'build: dotnet build',
    'test: dotnet test',
    'format: dotnet format',
  ]);
  const program = '<Project Sdk="Microsoft.NET.Sdk"><OutputType>Exe</OutputType></Project>';
  expect(await findCommands(dotnet, { 'App.csproj': program })).toContain('run: dotnet run');
  const web = '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>';
  const several = await findCommands(dotnet, {
    'My App.csproj': web,
    'Lib.csproj': '<Project/>',
    'All.sln': '',
  });
  expect(several).toContain('build: dotnet build All.sln');
  expect(several).toContain(`run: dotnet run --project 'My App.csproj'`);
  expect(await findCommands(dotnet, {})).toEqual([]);
});

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

test('is quick with what is made to be slow', async () => {
  const started = performance.now();
  await findCommands(make, { Makefile: `${'a '.repeat(200_000)}\n`.repeat(2) });
  expect(performance.now() - started).toBeLessThan(1_000);
});

const directory = process.cwd();

test.each([
  [{ path: 'app' }, ['app']],
  [{ path: './app', name: 'The app' }, ['app']],
  [{ path: `${directory}/app` }, ['app']],
  [{ uri: `${toFileUri(directory)}/app` }, ['app']],
  [{ uri: 'vscode-remote://ssh-remote+host/home/me/app' }, []],
  [{ path: '/somewhere/else' }, []],
  [{ path: 1 }, []],
  [{}, []],
  ['app', []],
])('the folder %j is the member %j', (folder, expected) => {
  const rules = readEditorMembers({ folders: [folder] }, directory);
  expect(rules.map(({ pattern }) => pattern)).toEqual(expected);
  expect(rules.every(({ literal }) => literal === true)).toBe(true);
});

test.each([{}, { folders: 'app' }, { folders: { path: 'app' } }, [], null])(
  '%j has no folders',
  (workspace) => {
    expect(readEditorMembers(workspace, directory)).toEqual([]);
  },
);
