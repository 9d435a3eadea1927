import { type BuildCommand, type BuildDirectory, quoteWord, readBuildFile } from './record/build-system.ts';
import { declareByText, type MemberRule } from './record/declaration.ts';
import type { Ecosystem } from './record/ecosystem.ts';

export const dotnet: Ecosystem = {
  name: 'dotnet',
  markers: [
    { file: '*.slnx', name: { format: 'file-name' }, members: declareByText(readSolutionMembers) },
    { file: '*.sln', name: { format: 'file-name' }, members: declareByText(readSolutionMembers) },
    { file: '*.csproj', name: { format: 'file-name' } },
    { file: '*.fsproj', name: { format: 'file-name' } },
    { file: '*.vbproj', name: { format: 'file-name' } },
  ],
  build: { name: 'dotnet', title: '.NET', find: findDotnetCommands },
  languages: { 'C#': 'cs csx', 'F#': 'fs fsi fsx', 'Visual Basic': 'vb' },
  pruned: ['obj', '.vs', '.nuget'],
};

/**
 * Returns the directories of the projects in a solution: `Project("…") = "App", "src\\App\\App.csproj", "…"` in a .sln,
 * and `<Project Path="src/App/App.csproj" />` in a .slnx. Folders of a solution are no directories.
 */
export function readSolutionMembers(text: string): readonly MemberRule[] {
  const projects =
    /^Project\("[^"\n]{0,80}"\) = "[^"\n]{0,400}", "(?<sln>[^"\n]{1,1000})"|<Project\s[^>]{0,400}?\bPath="(?<slnx>[^"\n]{1,1000})"/gm;
  return [...text.matchAll(projects)]
    .map(({ groups }) => (groups?.['sln'] ?? groups?.['slnx'] ?? '').replaceAll('\\', '/'))
    .filter((path) => /\/[^/]+\.\w+proj$/.test(path))
    .map((path) => ({ pattern: path.slice(0, path.lastIndexOf('/')), literal: true }));
}

const solutions = ['.slnx', '.sln'] as const;
const projects = ['.csproj', '.fsproj', '.vbproj'] as const;

/** Finds the commands of .NET for a solution or for the only project; `run` if it builds a program. */
async function findDotnetCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const solution = ending(directory, solutions);
  const own = ending(directory, projects);
  const file = solution[0] ?? own[0];
  if (file === undefined) return [];
  // With several of them, the command must name one.
  const which = solution.length + own.length > 1 ? ` ${quoteWord(file)}` : '';
  const why = `${file} is there`;
  const commands: readonly BuildCommand[] = [
    { task: 'install', command: `dotnet restore${which}`, file, why },
    { task: 'build', command: `dotnet build${which}`, file, why },
    { task: 'test', command: `dotnet test${which}`, file, why },
    { task: 'format', command: `dotnet format${which}`, file, why: 'it comes with .NET' },
  ];
  return [...commands, ...(await runs(directory, own))];
}

function ending({ names }: BuildDirectory, extensions: readonly string[]): readonly string[] {
  return extensions.flatMap((extension) => names.filter((name) => name.endsWith(extension)));
}

async function runs(directory: BuildDirectory, files: readonly string[]): Promise<readonly BuildCommand[]> {
  const found: BuildCommand[] = [];
  for (const file of files.slice(0, 8)) {
    const text = await readBuildFile(directory, file);
    const [why] = /<OutputType>\s?(?:Win)?Exe\b|Microsoft\.NET\.Sdk\.(?:Web|Worker)\b/.exec(text) ?? [];
    if (why === undefined) continue;
    const command = files.length > 1 ? `dotnet run --project ${quoteWord(file)}` : 'dotnet run';
    found.push({ task: 'run', command, file, why: `it says ${why.replaceAll(/[<>]/g, ' ').trim()}` });
  }
  return found;
}
