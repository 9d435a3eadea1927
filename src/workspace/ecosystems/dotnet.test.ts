import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { dotnet } from './dotnet.ts';

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
