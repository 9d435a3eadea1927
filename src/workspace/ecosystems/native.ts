import { type BuildCommand, type BuildDirectory, quoteWord, readBuildFile } from './record/build-system.ts';
import type { Ecosystem } from './record/ecosystem.ts';

// Languages whose programs run without a runtime, and whose build files are programs: read by their words alone.

export const cpp: Ecosystem = {
  name: 'cpp',
  markers: [
    { file: '*.vcxproj', name: { format: 'file-name' } },
    {
      file: 'CMakeLists.txt',
      repeats: true,
      name: { format: 'text', pattern: /^[ \t]*project[ \t]*\(\s*"?(?<name>[\w.+-]+)/im },
    },
    {
      file: 'meson.build',
      repeats: true,
      name: { format: 'text', pattern: /^project\(\s*'(?<name>[^'\r\n]+)'/m },
    },
  ],
  build: { name: 'cmake', title: 'CMake, Meson', find: findCppCommands },
  languages: { C: 'c h', 'C++': 'cc cpp cxx c++ hh hpp hxx ipp', CMake: 'cmake' },
  pruned: ['build'],
};

export const swift: Ecosystem = {
  name: 'swift',
  markers: [
    { file: 'Package.swift', name: { format: 'text', pattern: /\bname:\s?"(?<name>[^"\r\n]+)"/ } },
    { file: '*.xcodeproj', shape: 'directory', name: { format: 'file-name' } },
  ],
  build: { name: 'swift', title: 'Swift', find: findSwiftCommands },
  languages: { Swift: 'swift', 'Objective-C': 'm mm' },
  pruned: ['Pods', '.build', 'DerivedData'],
};

/** Finds the commands of CMake and Meson, where a project begins. Both build in a directory of their own. */
async function findCppCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  return [...(await findCmakeCommands(directory)), ...(await findMesonCommands(directory))];
}

async function findCmakeCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = 'CMakeLists.txt';
  if (!directory.names.includes(file)) return [];
  const text = await readBuildFile(directory, file);
  // A directory of a larger project has no `project()`.
  if (!/^[ \t]*project[ \t]*\(/im.test(text)) return [];
  const hasTests = /^[ \t]*(?:enable_testing|add_test|include[ \t]*\([ \t]*CTest)\b/im.test(text);
  const build: readonly BuildCommand[] = [
    { task: 'install', command: 'cmake -S . -B build', file, why: 'prepares the directory build' },
    { task: 'build', command: 'cmake --build build', file, why: 'it is a project of CMake' },
  ];
  const test: BuildCommand = {
    task: 'test',
    command: 'ctest --test-dir build',
    file,
    why: 'it has tests',
    bestEffort: true,
  };
  return hasTests ? [...build, test] : build;
}

async function findMesonCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = 'meson.build';
  if (!directory.names.includes(file)) return [];
  if (!/^project[ \t]*\(/m.test(await readBuildFile(directory, file))) return [];
  const why = 'it is a project of Meson';
  return [
    { task: 'install', command: 'meson setup build', file, why: 'prepares the directory build' },
    { task: 'build', command: 'meson compile -C build', file, why },
    { task: 'test', command: 'meson test -C build', file, why },
  ];
}

/** Finds the commands of a Swift package. Those of Xcode need the names of schemes, which are not read. */
async function findSwiftCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = 'Package.swift';
  if (!directory.names.includes(file)) return [];
  const text = await readBuildFile(directory, file);
  const found = text.matchAll(/\.executableTarget\(\s?name:\s?"(?<name>[^"\r\n]{1,80})"/g);
  const programs = [...new Set([...found].map(({ groups }) => groups?.['name'] ?? ''))].slice(0, 20);
  const why = 'it is a package of Swift';
  return [
    { task: 'install', command: 'swift package resolve', file, why },
    { task: 'build', command: 'swift build', file, why },
    { task: 'test', command: 'swift test', file, why },
    ...programs.map((name): BuildCommand => {
      const command = programs.length === 1 ? 'swift run' : `swift run ${quoteWord(name)}`;
      return { task: 'run', command, file, why: `executable target ${quoteWord(name)}`, bestEffort: true };
    }),
  ];
}
