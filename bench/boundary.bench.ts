import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  searchFilesWithValidation,
  setAllowedDirectories,
  validatePath,
} from '@modelcontextprotocol/server-filesystem/dist/lib.js';
import { fdir } from 'fdir';
import type { Boundary } from '../src/boundary/boundary.ts';
import { openBoundary } from '../src/boundary/open-boundary.ts';
import { compileGlobs } from '../src/path/glob.ts';
import type { Measurement, Suite } from './suite.ts';
import { timePair } from './time-pair.ts';

/** What does it cost that nothing outside can be reached? */
export const boundarySuite: Suite = {
  name: 'boundary',
  async run() {
    const top = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
    try {
      plant(top);
      setAllowedDirectories([top]);
      await using boundary = await openBoundary(top);
      return [
        await openAndClose(boundary, top, { depth: 1, factor: 5 }),
        await openAndClose(boundary, top, { depth: 10, factor: 2 }),
        await searchTree(boundary, top),
        await walkTree(boundary, top),
      ];
    } finally {
      rmSync(top, { recursive: true });
    }
  },
};

const fileCount = 20_000;

/** A file at depth 1 and at depth 10, and a tree of 20,000 files in 1,000 directories. */
function plant(top: string): void {
  writeFileSync(join(top, 'file.txt'), 'x');
  mkdirSync(join(top, deepPath(10), '..'), { recursive: true });
  writeFileSync(join(top, deepPath(10)), 'x');
  for (let index = 0; index < fileCount; index += 1) {
    const directory = join(top, 'tree', `group-${index % 40}`, `part-${index % 1_000}`);
    if (index < 1_000) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file-${index}.${index % 10 === 0 ? 'md' : 'ts'}`), '');
  }
}

function deepPath(depth: number): string {
  return depth === 1
    ? 'file.txt'
    : join(...Array.from({ length: depth - 1 }, (_, index) => `d${index}`), 'file.txt');
}

async function openAndClose(
  boundary: Boundary,
  top: string,
  { depth, factor }: { depth: number; factor: number },
): Promise<Measurement> {
  const relative = deepPath(depth);
  const absolute = join(top, relative);
  const times = await timePair(
    async (count) => {
      for (let index = 0; index < count; index += 1) await (await boundary.open(relative)).close();
    },
    async (count) => {
      for (let index = 0; index < count; index += 1) await (await open(await validatePath(absolute))).close();
    },
  );
  return {
    name: `checked open and close, depth ${depth}`,
    against: 'validatePath and open of server-filesystem',
    ...times,
    target: { kind: 'faster', factor },
  };
}

async function searchTree(boundary: Boundary, top: string): Promise<Measurement> {
  const pattern = '**/*.md';
  const expected = fileCount / 10;
  const times = await timePair(
    repeat(async () => {
      const glob = compileGlobs([pattern]);
      let found = 0;
      for await (const { path } of boundary.walk('tree')) {
        if (glob.match(path) !== undefined) found += 1;
      }
      return found === expected;
    }),
    repeat(
      async () => (await searchFilesWithValidation(join(top, 'tree'), pattern, [top])).length === expected,
    ),
    { rounds: 3, milliseconds: 1 },
  );
  return {
    name: 'search by name, 20,000 files',
    against: 'search of server-filesystem',
    ...times,
    target: { kind: 'faster', factor: 15 },
  };
}

async function walkTree(boundary: Boundary, top: string): Promise<Measurement> {
  const times = await timePair(
    repeat(async () => {
      let files = 0;
      for await (const { kind } of boundary.walk('tree')) if (kind === 'file') files += 1;
      return files === fileCount;
    }),
    repeat(
      async () =>
        (await new fdir().withFullPaths().crawl(join(top, 'tree')).withPromise()).length === fileCount,
    ),
    { rounds: 15, milliseconds: 100 },
  );
  return {
    name: 'walk, 20,000 files',
    against: 'fdir, unchecked',
    ...times,
    target: { kind: 'within', factor: 2.5 },
  };
}

function repeat(run: () => Promise<boolean>): (count: number) => Promise<void> {
  return async (count) => {
    for (let index = 0; index < count; index += 1) {
      if (!(await run())) throw new Error('the result is wrong: the measurement means nothing');
    }
  };
}
