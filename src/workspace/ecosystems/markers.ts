import type { ProjectKind } from '../project/project.ts';

/** Where a manifest says what its project is called. */
export type NameFormat =
  /** The first of these ways through the parsed file that leads to a text. */
  | { readonly format: 'json' | 'toml' | 'yaml' | 'xml'; readonly at: readonly (readonly string[])[] }
  /** The group `name` of the first match: for formats that are programs, so best effort. */
  | { readonly format: 'text'; readonly pattern: RegExp }
  /** The name of the file, without its extension. */
  | { readonly format: 'file-name' };

/** A file or directory whose name reveals a project. */
export interface Marker {
  /** An exact name, or `*` with an extension. */
  readonly file: string;
  readonly kind: Exclude<ProjectKind, 'marker' | 'directory'>;
  /** Whose file it is: `node`, `rust`, `git` … */
  readonly ecosystem: string;
  /** Its place in the table. Of several in one directory the lowest decides. */
  readonly rank: number;
  readonly shape: 'file' | 'directory' | 'either';
  /** Says little: counts only where nothing better is found. */
  readonly weak: boolean;
  /** Directories within one project have their own: the outermost of an unbroken chain is the project. */
  readonly repeats: boolean;
  readonly name?: NameFormat;
}

type MarkerEntry = Pick<Marker, 'file' | 'kind' | 'ecosystem' | 'name'> &
  Partial<Pick<Marker, 'shape' | 'weak' | 'repeats'>>;

/** One entry per marker; the order is the rank. */
const table = [
  { file: '.git', kind: 'repository', ecosystem: 'git', shape: 'either' },
  { file: '.jj', kind: 'repository', ecosystem: 'jj', shape: 'directory' },
  { file: '.hg', kind: 'repository', ecosystem: 'hg', shape: 'directory' },
  { file: '.svn', kind: 'repository', ecosystem: 'svn', shape: 'directory' },

  { file: 'package.json', kind: 'manifest', ecosystem: 'node', name: { format: 'json', at: [['name']] } },
  { file: 'pnpm-workspace.yaml', kind: 'manifest', ecosystem: 'node' },
  { file: 'deno.json', kind: 'manifest', ecosystem: 'deno', name: { format: 'json', at: [['name']] } },
  { file: 'deno.jsonc', kind: 'manifest', ecosystem: 'deno', name: { format: 'json', at: [['name']] } },
  {
    file: 'Cargo.toml',
    kind: 'manifest',
    ecosystem: 'rust',
    name: { format: 'toml', at: [['package', 'name']] },
  },
  {
    file: 'pyproject.toml',
    kind: 'manifest',
    ecosystem: 'python',
    name: {
      format: 'toml',
      at: [
        ['project', 'name'],
        ['tool', 'poetry', 'name'],
      ],
    },
  },
  {
    file: 'setup.py',
    kind: 'manifest',
    ecosystem: 'python',
    name: { format: 'text', pattern: /\bname\s?=\s?["'](?<name>[^"'\r\n]+)["']/ },
  },
  { file: 'Pipfile', kind: 'manifest', ecosystem: 'python' },
  {
    file: 'pom.xml',
    kind: 'manifest',
    ecosystem: 'maven',
    name: { format: 'xml', at: [['project', 'artifactId']] },
  },
  { file: 'settings.gradle', kind: 'manifest', ecosystem: 'gradle', name: gradleSettings() },
  { file: 'settings.gradle.kts', kind: 'manifest', ecosystem: 'gradle', name: gradleSettings() },
  { file: 'build.gradle', kind: 'manifest', ecosystem: 'gradle' },
  { file: 'build.gradle.kts', kind: 'manifest', ecosystem: 'gradle' },
  {
    file: 'build.sbt',
    kind: 'manifest',
    ecosystem: 'scala',
    name: { format: 'text', pattern: /\bname\s?:=\s?"(?<name>[^"\r\n]+)"/ },
  },
  { file: 'go.work', kind: 'manifest', ecosystem: 'go' },
  {
    file: 'go.mod',
    kind: 'manifest',
    ecosystem: 'go',
    name: {
      format: 'text',
      // The last name of the path, without the major version: `/v2`, and `.v2` as gopkg.in has it.
      pattern:
        /^module[ \t]+["`]?(?:[^\s"`]+\/)?(?!v\d+(?:["`\s]|$))(?<name>[^\s"`/]+?)(?:\.v\d+)?(?:\/v\d+)?(?:["`\s]|$)/m,
    },
  },
  { file: '*.slnx', kind: 'manifest', ecosystem: 'dotnet', name: { format: 'file-name' } },
  { file: '*.sln', kind: 'manifest', ecosystem: 'dotnet', name: { format: 'file-name' } },
  { file: '*.csproj', kind: 'manifest', ecosystem: 'dotnet', name: { format: 'file-name' } },
  { file: '*.fsproj', kind: 'manifest', ecosystem: 'dotnet', name: { format: 'file-name' } },
  { file: '*.vbproj', kind: 'manifest', ecosystem: 'dotnet', name: { format: 'file-name' } },
  { file: '*.vcxproj', kind: 'manifest', ecosystem: 'cpp', name: { format: 'file-name' } },
  { file: 'composer.json', kind: 'manifest', ecosystem: 'php', name: { format: 'json', at: [['name']] } },
  { file: '*.gemspec', kind: 'manifest', ecosystem: 'ruby', name: { format: 'file-name' } },
  { file: 'Gemfile', kind: 'manifest', ecosystem: 'ruby' },
  {
    file: 'mix.exs',
    kind: 'manifest',
    ecosystem: 'elixir',
    name: { format: 'text', pattern: /\bapp:\s?:"?(?<name>\w+)/ },
  },
  { file: 'rebar.config', kind: 'manifest', ecosystem: 'erlang' },
  { file: 'gleam.toml', kind: 'manifest', ecosystem: 'gleam', name: { format: 'toml', at: [['name']] } },
  {
    file: 'Package.swift',
    kind: 'manifest',
    ecosystem: 'swift',
    name: { format: 'text', pattern: /\bname:\s?"(?<name>[^"\r\n]+)"/ },
  },
  {
    file: '*.xcodeproj',
    kind: 'manifest',
    ecosystem: 'swift',
    shape: 'directory',
    name: { format: 'file-name' },
  },
  { file: 'pubspec.yaml', kind: 'manifest', ecosystem: 'dart', name: { format: 'yaml', at: [['name']] } },
  { file: 'stack.yaml', kind: 'manifest', ecosystem: 'haskell' },
  { file: '*.cabal', kind: 'manifest', ecosystem: 'haskell', name: { format: 'file-name' } },
  { file: 'dune-project', kind: 'manifest', ecosystem: 'ocaml' },
  {
    file: 'project.clj',
    kind: 'manifest',
    ecosystem: 'clojure',
    name: { format: 'text', pattern: /\(defproject\s(?<name>[^\s()"]+)/ },
  },
  { file: 'deps.edn', kind: 'manifest', ecosystem: 'clojure' },
  { file: 'Project.toml', kind: 'manifest', ecosystem: 'julia', name: { format: 'toml', at: [['name']] } },
  { file: 'elm.json', kind: 'manifest', ecosystem: 'elm', name: { format: 'json', at: [['name']] } },
  { file: 'shard.yml', kind: 'manifest', ecosystem: 'crystal', name: { format: 'yaml', at: [['name']] } },
  { file: '*.nimble', kind: 'manifest', ecosystem: 'nim', name: { format: 'file-name' } },
  { file: 'build.zig', kind: 'manifest', ecosystem: 'zig' },
  {
    file: 'MODULE.bazel',
    kind: 'manifest',
    ecosystem: 'bazel',
    name: { format: 'text', pattern: /^module\([^)]{0,400}?\bname\s?=\s?"(?<name>[^"\r\n]+)"/m },
  },
  { file: 'WORKSPACE.bazel', kind: 'manifest', ecosystem: 'bazel' },
  { file: 'WORKSPACE', kind: 'manifest', ecosystem: 'bazel' },
  { file: 'project.godot', kind: 'manifest', ecosystem: 'godot' },
  { file: '*.uproject', kind: 'manifest', ecosystem: 'unreal', name: { format: 'file-name' } },
  { file: 'flake.nix', kind: 'manifest', ecosystem: 'nix' },
  {
    file: 'CMakeLists.txt',
    kind: 'manifest',
    ecosystem: 'cpp',
    repeats: true,
    name: { format: 'text', pattern: /^[ \t]*project[ \t]*\(\s*"?(?<name>[\w.+-]+)/im },
  },
  {
    file: 'meson.build',
    kind: 'manifest',
    ecosystem: 'cpp',
    repeats: true,
    name: { format: 'text', pattern: /^project\(\s*'(?<name>[^'\r\n]+)'/m },
  },

  { file: 'requirements.txt', kind: 'manifest', ecosystem: 'python', weak: true },
  { file: 'Makefile', kind: 'manifest', ecosystem: 'make', weak: true, repeats: true },
  { file: 'makefile', kind: 'manifest', ecosystem: 'make', weak: true, repeats: true },
  { file: 'GNUmakefile', kind: 'manifest', ecosystem: 'make', weak: true, repeats: true },
  { file: 'justfile', kind: 'manifest', ecosystem: 'just', weak: true },
  {
    file: '*.code-workspace',
    kind: 'editor',
    ecosystem: 'vscode',
    weak: true,
    name: { format: 'file-name' },
  },
  { file: '*.Rproj', kind: 'editor', ecosystem: 'r', weak: true, name: { format: 'file-name' } },
  { file: '.idea', kind: 'editor', ecosystem: 'jetbrains', shape: 'directory', weak: true },
  { file: '.obsidian', kind: 'editor', ecosystem: 'obsidian', shape: 'directory', weak: true },
] as const satisfies readonly MarkerEntry[];

/** Every marker that is known without a product's own, by rank. */
export const markers: readonly Marker[] = table.map(toMarker);

const byName: ReadonlyMap<string, Marker> = new Map(
  markers.filter(({ file }) => !file.startsWith('*')).map((marker) => [marker.file, marker]),
);

const byExtension: ReadonlyMap<string, Marker> = new Map(
  markers.filter(({ file }) => file.startsWith('*')).map((marker) => [marker.file.slice(1), marker]),
);

/**
 * The marker that a name is, by the name alone: whether it is a file or a directory is for the caller to
 * compare with `shape`. Asked for every name of a tree, so it costs two lookups.
 *
 * @example
 * ```ts
 * matchMarker('Cargo.toml').ecosystem // → 'rust'
 * matchMarker('App.sln').file // → '*.sln'
 * matchMarker('.sln') // → undefined
 * ```
 */
export function matchMarker(name: string): Marker | undefined {
  const exact = byName.get(name);
  if (exact !== undefined) return exact;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? byExtension.get(name.slice(dot)) : undefined;
}

function toMarker(entry: MarkerEntry, rank: number): Marker {
  return { shape: 'file', weak: false, repeats: false, ...entry, rank };
}

function gradleSettings(): NameFormat {
  return { format: 'text', pattern: /^[ \t]*rootProject\.name\s?=\s?["'](?<name>[^"'\r\n]+)["']/m };
}
