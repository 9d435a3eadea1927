/** The repository as the rules see it: posix path relative to its top → text. */
export type SourceTree = ReadonlyMap<string, string>;

export interface Violation {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

/** A small tree written down in a test. */
export function plant(files: Readonly<Record<string, string>>): SourceTree {
  return new Map(Object.entries(files));
}

export function isTest(file: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(file);
}

/** The code beneath `src/`, tests included, declaration files not. */
export function* sourceFiles(tree: SourceTree): Generator<readonly [file: string, text: string]> {
  for (const [file, text] of tree) {
    if (/^src\/.*\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file)) yield [file, text];
  }
}
