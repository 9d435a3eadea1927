import { ecosystems } from '../../workspace/ecosystems/all-ecosystems.ts';

/** Languages without an ecosystem, with their file extensions. Includes markup and data that people write. */
const others = {
  Ada: 'adb ads',
  Astro: 'astro',
  COBOL: 'cob cbl',
  CSS: 'css scss sass less styl',
  D: 'd',
  Fortran: 'f f90 f95 f03 for',
  GraphQL: 'graphql gql',
  HCL: 'tf hcl tfvars',
  HTML: 'html htm',
  'Jupyter Notebook': 'ipynb',
  LaTeX: 'tex',
  Lua: 'lua',
  Markdown: 'md mdx markdown',
  MATLAB: 'mlx',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1',
  'Protocol Buffers': 'proto',
  Racket: 'rkt',
  reStructuredText: 'rst',
  Shell: 'sh bash zsh fish',
  Solidity: 'sol',
  SQL: 'sql',
  Svelte: 'svelte',
  SystemVerilog: 'sv svh',
  VHDL: 'vhd vhdl',
  Vue: 'vue',
  WebAssembly: 'wat',
  YAML: 'yaml yml',
} as const satisfies Readonly<Record<string, string>>;

const byExtension: ReadonlyMap<string, string> = new Map(
  [others, ...ecosystems.map(({ languages = {} }) => languages)]
    .flatMap((table) => Object.entries<string>(table))
    .flatMap(([language, extensions]) =>
      extensions.split(' ').map((extension) => [extension, language] as const),
    ),
);

/** Returns the language of a file by its name; `undefined` if unknown. */
export function languageOf(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? byExtension.get(name.slice(dot + 1).toLowerCase()) : undefined;
}

export interface LanguageCount {
  readonly language: string;
  readonly files: number;
}

/** Sorts by number of files, most first. */
export function orderLanguages(counts: ReadonlyMap<string, number>): LanguageCount[] {
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .toSorted((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1));
}
