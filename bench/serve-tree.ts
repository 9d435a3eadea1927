import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What both servers serve. */
export interface ServeTree extends Disposable {
  readonly top: string;
  /** 20,000 small sources, 20 to a directory. */
  readonly sources: string;
  /** What a search for text looks for; one file in 200 has it. */
  readonly needle: string;
  readonly shallow: string;
  /** In ten directories. */
  readonly deep: string;
  /** 200 small files in one directory. */
  readonly listed: string;
  /** Where files are written. */
  readonly written: string;
  /** A file outside. */
  readonly outside: string;
  /** For what ours writes down. */
  readonly home: string;
}

const directories = 1_000;
const filesPerDirectory = 20;
const needle = 'a needle in a haystack';

/** A kibibyte of source. */
export const sample: string = 'export const line = 1;\n'.repeat(45);

export function plantServeTree(): ServeTree {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'rootward-bench-')));
  const top = join(parent, 'app');
  const sources = join(top, 'packages');
  for (let index = 0; index < directories; index += 1) plantSources(sources, index);
  const deep = join(top, ...Array.from({ length: 10 }, (_, level) => `level-${level}`));
  const written = join(top, 'written');
  const listed = join(top, 'listed');
  const outside = join(parent, 'outside.txt');
  for (const directory of [deep, written, listed]) mkdirSync(directory, { recursive: true });
  for (const file of [join(top, 'file.ts'), join(deep, 'file.ts'), join(written, 'file.ts'), outside])
    writeFileSync(file, sample);
  for (let index = 0; index < 200; index += 1) writeFileSync(join(listed, `file-${index}.ts`), sample);
  // What was written has to reach the disk, and the first one measured would pay for it.
  execFileSync('sync');
  return {
    top,
    sources,
    needle,
    shallow: join(top, 'file.ts'),
    deep: join(deep, 'file.ts'),
    listed,
    written,
    outside,
    home: join(parent, 'home'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
}

function plantSources(sources: string, index: number): void {
  const directory = join(sources, `package-${index % 20}`, `area-${index % 10}`, `part-${index}`);
  mkdirSync(directory, { recursive: true });
  for (let file = 0; file < filesPerDirectory; file += 1) {
    const line = (index * filesPerDirectory + file) % 200 === 7 ? `// ${needle}\n` : '';
    writeFileSync(join(directory, `module-${file}.ts`), `${source}${line}${source}`);
  }
}

const source = 'export function add(one: number, other: number): number {\n  return one + other;\n}\n'.repeat(
  8,
);
