import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { dotnet, readSolutionMembers } from './dotnet.ts';

test.each([
  [
    [
      'Microsoft Visual Studio Solution File, Format Version 12.00',
      'Project("{FAE04EC0}") = "App", "src\\App\\App.csproj", "{1}"',
      'EndProject',
      'Project("{2150E333}") = "src", "src", "{2}"',
      'Project("{FAE04EC0}") = "Here", "Here.csproj", "{3}"',
      'Project("{F2A71F9B}") = "Lib", "lib/Lib.fsproj", "{4}"',
    ].join('\r\n'),
    ['src/App', 'lib'],
  ],
  [
    '<Solution><Folder Name="/src/"><Project Path="src/App/App.csproj" /></Folder><Project Type="C#" Path="lib\\Lib.vbproj"/></Solution>',
    ['src/App', 'lib'],
  ],
  ['<Solution />', []],
])('a solution names the directories of its projects', (text, expected) => {
  expect(readSolutionMembers(text).map(({ pattern }) => pattern)).toEqual(expected);
});

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
