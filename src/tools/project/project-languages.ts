/** One language, and the extensions by which its files are told. Markup and data count where people write them. */
const table = {
  Ada: 'adb ads',
  Astro: 'astro',
  'C++': 'cc cpp cxx c++ hh hpp hxx ipp',
  'C#': 'cs csx',
  C: 'c h',
  Clojure: 'clj cljs cljc edn',
  CMake: 'cmake',
  COBOL: 'cob cbl',
  Crystal: 'cr',
  CSS: 'css scss sass less styl',
  D: 'd',
  Dart: 'dart',
  Elixir: 'ex exs heex',
  Elm: 'elm',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f90 f95 f03 for',
  Gleam: 'gleam',
  Go: 'go',
  GraphQL: 'graphql gql',
  Groovy: 'groovy gradle',
  Haskell: 'hs lhs',
  HCL: 'tf hcl tfvars',
  HTML: 'html htm',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  LaTeX: 'tex',
  Lua: 'lua',
  Markdown: 'md mdx markdown',
  MATLAB: 'mlx',
  Nim: 'nim nims',
  Nix: 'nix',
  'Objective-C': 'm mm',
  OCaml: 'ml mli',
  Perl: 'pl pm',
  PHP: 'php phtml',
  PowerShell: 'ps1 psm1',
  'Protocol Buffers': 'proto',
  Python: 'py pyi pyx',
  R: 'r rmd',
  Racket: 'rkt',
  reStructuredText: 'rst',
  Ruby: 'rb rake erb',
  Rust: 'rs',
  Scala: 'scala sc sbt',
  Shell: 'sh bash zsh fish',
  Solidity: 'sol',
  SQL: 'sql',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  TypeScript: 'ts mts cts tsx',
  VHDL: 'vhd vhdl',
  'Visual Basic': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat',
  YAML: 'yaml yml',
  Zig: 'zig',
} as const satisfies Readonly<Record<string, string>>;

const byExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

/** The language of a file by its name; `undefined` for what is none, or not known. */
export function languageOf(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? byExtension.get(name.slice(dot + 1).toLowerCase()) : undefined;
}

export interface LanguageCount {
  readonly language: string;
  readonly files: number;
}

/** Most files first. */
export function orderLanguages(counts: ReadonlyMap<string, number>): LanguageCount[] {
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .toSorted((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1));
}
