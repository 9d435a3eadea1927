import { isFileUri } from '../../path/file-uri.ts';
import { locate } from '../../path/locate.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  type BuildSystem,
  firstOf,
  quoteWord,
  taskOf,
  readBuildFile,
} from './build-system.ts';
import { type MemberRule, texts } from './members.ts';
import { fieldAt } from './parse-manifest.ts';

const solutions = ['.slnx', '.sln'] as const;
const projects = ['.csproj', '.fsproj', '.vbproj'] as const;

/** What the dotnet command does with a solution, or with the only project; `run` where a program comes out. */
export const dotnet: BuildSystem = {
  name: 'dotnet',
  async find(directory) {
    const solution = ending(directory, solutions);
    const own = ending(directory, projects);
    const file = solution[0] ?? own[0];
    if (file === undefined) return [];
    // Several of them have to be told apart.
    const which = solution.length + own.length > 1 ? ` ${quoteWord(file)}` : '';
    const why = `${file} is there`;
    const commands: readonly BuildCommand[] = [
      { task: 'install', command: `dotnet restore${which}`, file, why },
      { task: 'build', command: `dotnet build${which}`, file, why },
      { task: 'test', command: `dotnet test${which}`, file, why },
      { task: 'format', command: `dotnet format${which}`, file, why: 'it comes with .NET' },
    ];
    return [...commands, ...(await runs(directory, own))];
  },
};

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

const most = 60;

/**
 * The targets of a makefile. Best effort: what a makefile computes or includes is not seen, and neither are
 * targets that are files, which most readers do not mean.
 */
export const make: BuildSystem = {
  name: 'make',
  async find(directory) {
    const file = firstOf(directory, ['GNUmakefile', 'makefile', 'Makefile']);
    if (file === undefined) return [];
    const text = await readBuildFile(directory, file);
    return targetsIn(text).map((name) => {
      const word = quoteWord(name);
      return { task: taskOf(name), command: `make ${word}`, file, why: `target ${word}`, bestEffort: true };
    });
  },
};

/** Declared phony, or a plain word followed by a colon: `a b: c`, but not `a := b`, `%.o: %.c` and `.SUFFIXES:`. */
function targetsIn(text: string): readonly string[] {
  const targets = new Set<string>();
  for (const line of text.split('\n')) {
    const { names } = /^(?<names>[\w.][^:=#$%\t]*?)\s?::?(?![=:])/.exec(line.slice(0, 400))?.groups ?? {};
    for (const name of (names ?? '').split(/\s+/)) if (/^[A-Za-z0-9][\w-]*$/.test(name)) targets.add(name);
  }
  return [...targets].slice(0, most);
}

/**
 * The `folders` of a VS Code workspace that lie beneath its directory: relative, absolute, or as a file URI.
 * Folders elsewhere, and those of remote machines, are nobody's member.
 */
export function readEditorMembers(workspace: unknown, directory: string): readonly MemberRule[] {
  const folders = fieldAt(workspace, ['folders']);
  if (!Array.isArray(folders)) return [];
  const paths = texts(folders.map((folder) => fieldAt(folder, ['path'])));
  const uris = texts(folders.map((folder) => fieldAt(folder, ['uri'])));
  return [...paths, ...uris.filter(isFileUri)]
    .map((place) => locate([directory], place)?.relative)
    .filter((relative) => relative !== undefined)
    .map((pattern) => ({ pattern, literal: true }));
}
